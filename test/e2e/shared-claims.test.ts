import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { FULL } from '../full.js'
import { servePages, type PagesOfOneProfile } from './pages-of-one-profile.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A tab that pays one KAS from the first three UTXOs of the first account to the second one. */
const pageOf = ({ urls, accounts: [from, to] }: Devnode): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  import { light } from ${file('light/index.ts')}
  const engine = createChainEngine({ network: 'simnet', url: '${urls.borsh}', sdk: light, shared: true })
  let entries
  window.ready = Promise.all([engine.connection.connect(), engine.wasm.init()]).then(async () => {
    entries = (await engine.rpc.getUtxosByAddresses(['${from!.address}'])).slice(0, 3)
  })
  window.pay = () => engine.transactions
    .send({
      entries,
      outputs: [{ address: '${to!.address}', amount: 100_000_000n }],
      changeAddress: '${from!.address}',
      privateKeys: ['${from!.privateKeyHex}'],
    })
    .then(({ transactionIds }) => transactionIds[0], ({ code }) => code)
`

declare global {
  interface Window {
    ready: Promise<void>
  }
}

/** Pays so many times at once; resolves to ids and codes of errors. */
const payTimes = (page: Page, count: number): Promise<readonly string[]> =>
  page.evaluate((times) => {
    const { pay } = window as unknown as { readonly pay: () => Promise<string> }
    return Promise.all(Array.from({ length: times }, pay))
  }, count)

let devnode: Devnode
let pages: PagesOfOneProfile
beforeEach(async () => {
  devnode = await createDevnode({ accounts: 2, blockInterval: 0 })
  await devnode.mine(2)
  pages = await servePages(pageOf(devnode))
})
afterEach(async () => {
  await pages.close()
  await devnode.close()
})

async function openTab(): Promise<Page> {
  const page = await pages.open()
  await expect.poll(() => page.evaluate(() => typeof window.ready)).toBe('object')
  await page.evaluate(() => window.ready)
  return page
}

const idsPaid = (): readonly string[] =>
  devnode.expected.transfers([devnode.accounts[1]!.address]).map(({ transactionId }) => transactionId)

it('makes as many payments as it reports, where pages pay the same amount from the same UTXOs', async () => {
  const tabs = await Promise.all(Array.from({ length: FULL ? 5 : 2 }, openTab))
  const results = (await Promise.all(tabs.map((page) => payTimes(page, 10)))).flat()
  await devnode.mine(2)
  const ids = results.filter((result) => /^[0-9a-f]{64}$/.test(result))
  expect(ids.length).toBeGreaterThan(0)
  expect(new Set(ids).size).toBe(ids.length)
  expect([...idsPaid()].sort()).toEqual([...ids].sort())
  // of a busy machine: a claim that took too long, and that another page had
  const codes = new Set(results.filter((result) => !ids.includes(result)))
  expect([...codes].filter((code) => code !== 'insufficient-funds' && code !== 'aborted')).toEqual([])
})

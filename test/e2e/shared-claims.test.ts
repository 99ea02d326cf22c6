import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { FULL } from '../full.js'
import { servePages, type PagesOfOneProfile } from './pages-of-one-profile.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A tab that pays one KAS, by the node of its query, from three UTXOs of the first account to the second one. */
const pageOf = ({ accounts: [from, to] }: Devnode): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  import { light } from ${file('light/index.ts')}
  const engine = createChainEngine({ network: 'simnet', url: new URLSearchParams(location.search).get('node'), sdk: light, shared: true })
  let entries
  window.ready = Promise.all([engine.connection.connect(), engine.wasm.init()]).then(async () => {
    entries = (await engine.rpc.getUtxosByAddresses(['${from!.address}'])).slice(0, 3)
  })
  const settings = () => ({
    entries,
    outputs: [{ address: '${to!.address}', amount: 100_000_000n }],
    changeAddress: '${from!.address}',
  })
  const keys = ['${from!.privateKeyHex}']
  const done = (ids) => ids.transactionIds[0]
  window.pay = () => engine.transactions.send({ ...settings(), privateKeys: keys }).then(done, ({ code }) => code)
  // a payment of one UTXO that ends before, or after, it is signed, or goes on
  window.begin = (progress) => new Promise((resolve) => {
    const never = () => new Promise(() => resolve(progress))
    const signs = progress === 'claimed' ? { signer: { sign: never } } : { privateKeys: keys }
    const onSigned = ([payment]) => {
      localStorage.setItem('payment', JSON.stringify(payment))
      return progress === 'signed' ? never() : resolve(payment.id)
    }
    engine.transactions.send({ ...settings(), entries: entries.slice(0, 1), ...signs }, { onSigned }).catch(() => undefined)
  })
  window.restore = async () => {
    const payment = await engine.transactions.restore(JSON.parse(localStorage.getItem('payment')))
    return payment.submit().catch(({ code, outcome }) => code + ' ' + outcome)
  }
  window.pending = () => engine.rpc
    .getMempoolEntriesByAddresses(['${from!.address}'])
    .then((addresses) => addresses.flatMap(({ sending }) => sending).length)
  window.rival = () => engine.transactions
    .send({ ...settings(), entries: entries.slice(0, 1), feeRate: 200, privateKeys: keys })
    .then(done, ({ code }) => code)
`

/** How far a payment came before its page ended. */
type Progress = 'claimed' | 'signed' | 'sent'

declare global {
  interface Window {
    ready: Promise<void>
    begin(progress: Progress): Promise<string>
    /** Submits the stored payment; resolves to its id, or how it failed. */
    restore(): Promise<string>
    /** Payments in the mempool. */
    pending(): Promise<number>
    /** Pays otherwise from the same UTXO; resolves to the id, or the code of the error. */
    rival(): Promise<string>
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
  const page = await pages.open(`?node=${devnode.urls.borsh}`)
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

/** Ends a page: as a user who closes it, as its process that crashes, as a reload. */
const ENDS = {
  close: (page) => page.close(),
  crash: async (page) => {
    const session = await page.context().newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    session.send('Page.crash').catch(() => undefined) // gets no reply
    await crashed
  },
  reload: async (page) => {
    await page.reload()
  },
} satisfies Record<string, (page: Page) => Promise<void>>

describe.each(FULL ? Object.entries(ENDS) : [['crash', ENDS.crash] as const])(
  'after a page has ended by %s',
  (_, end) => {
    it.runIf(FULL)('frees what it had not signed', async () => {
      const [page, other] = [await openTab(), await openTab()]
      await page.evaluate(() => window.begin('claimed'))
      expect(await other.evaluate(() => window.rival())).toBe('insufficient-funds')
      await end(page)
      await expect.poll(() => other.evaluate(() => window.rival())).toMatch(/^[0-9a-f]{64}$/)
    })

    it.each<Progress>(FULL ? ['signed', 'sent'] : ['sent'])(
      'pays once what it had stored, %s, restored in two pages at once',
      async (progress) => {
        const [page, other] = [await openTab(), await openTab()]
        if (progress === 'sent') devnode.faults.dropReply({ method: 'submitTransaction' })
        const began = await page.evaluate((at) => window.begin(at), progress)
        if (progress === 'sent') await expect.poll(() => other.evaluate(() => window.pending())).toBe(1)
        await end(page)
        expect(await other.evaluate(() => window.rival())).not.toMatch(/^[0-9a-f]{64}$/)
        const tabs = [other, await openTab()]
        const results = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.restore())))
        expect(new Set(results).size).toBe(1)
        if (progress === 'sent') expect(results[0]).toBe(began)
        await devnode.mine(2)
        expect(idsPaid()).toEqual([results[0]])
      },
    )
  },
)

import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { servePages, type PagesOfOneProfile } from './pages-of-one-profile.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A tab that follows accepted transactions and the balance of the first account. */
const pageOf = ({ urls, accounts: [account] }: Devnode): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  const engine = createChainEngine({ network: 'simnet', url: '${urls.borsh}', shared: { claims: false } })
  window.accepted = []
  window.scores = []
  engine.acceptedTransactions$().subscribe(({ transactionId }) => window.accepted.push(transactionId))
  engine.virtualDaaScore$.subscribe((score) => window.scores.push(String(score)))
  engine.sharing.state$.subscribe((state) => (window.sharing = state))
  engine.connection.state$.subscribe(({ status }) => (window.connectionStatus = status))
  engine.balances$(['${account!.address}']).subscribe(({ mature }) => (window.balance = String(mature)))
  window.engine = engine
`

interface Tab {
  readonly accepted: readonly string[]
  readonly scores: readonly string[]
  readonly sharing: { readonly connection: string; readonly tabs: number | null; readonly reason: string | null }
  readonly connectionStatus: string
}

const read = <Key extends keyof Tab>(page: Page, key: Key): Promise<Tab[Key]> =>
  page.evaluate((name) => (window as unknown as Tab)[name as Key], key as string)

let devnode: Devnode
let pages: PagesOfOneProfile
beforeEach(async () => {
  devnode = await createDevnode({ accounts: 1, blockInterval: 0 })
  pages = await servePages(pageOf(devnode))
})
afterEach(async () => {
  await pages.close()
  await devnode.close()
})

async function openTab(): Promise<Page> {
  const page = await pages.open()
  await expect.poll(() => read(page, 'connectionStatus')).toBe('connected')
  return page
}

/** Mines a block, and waits until each tab has its score. */
async function mineFor(tabs: readonly Page[]): Promise<void> {
  await devnode.mine(1)
  const score = String(devnode.expected.virtualDaaScore())
  for (const page of tabs) await expect.poll(async () => (await read(page, 'scores')).at(-1)).toBe(score)
}

describe('tabs of one origin', () => {
  it('have one socket while they come and go', async () => {
    const tabs = [await openTab(), await openTab(), await openTab()]
    expect(devnode.connections()).toHaveLength(1)
    await expect.poll(() => read(tabs[0]!, 'sharing')).toMatchObject({ connection: 'shared', tabs: 3, reason: null })
    await mineFor(tabs)
    await tabs.shift()!.close() // the tab that opened it
    await mineFor(tabs)
    tabs.push(await openTab())
    await mineFor(tabs)
    expect(devnode.connections()).toHaveLength(1)
    await expect.poll(async () => (await read(tabs[0]!, 'sharing')).tabs).toBe(3)
    expect(pages.problems).toEqual([])
  })
})

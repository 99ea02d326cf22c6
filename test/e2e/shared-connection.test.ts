import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import type { ChainEngine } from '../../src/engine/engine.js'
import { eachFile } from '../lifetimes.js'
import { FULL } from '../full.js'
import { servePages } from './pages-of-one-profile.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A tab that follows accepted transactions and the balance of the first account. */
const pageOf = ({ urls, accounts: [account] }: Devnode): string => `
  import { createChainEngine } from ${file('engine/engine.ts')}
  const settings = new URLSearchParams(location.search)
  const url = settings.get('url') ?? '${urls.borsh}'
  const engine = createChainEngine({ network: 'simnet', url, shared: { claims: false, state: settings.has('state') } })
  window.accepted = []
  window.scores = []
  engine.acceptedTransactions$().subscribe(({ type, transactionId }) => {
    if (type === 'accepted') window.accepted.push(transactionId)
    if (type === 'reverted') window.accepted.splice(window.accepted.lastIndexOf(transactionId), 1)
  })
  engine.virtualDaaScore$.subscribe((score) => window.scores.push(String(score)))
  engine.sharing.state$.subscribe((state) => (window.sharing = state))
  engine.connection.state$.subscribe(({ status }) => (window.connectionStatus = status))
  engine.balances$(['${account!.address}']).subscribe(({ balance, freshness, reason, asOf }) => {
    window.balance = String(balance.mature)
    window.shown = { freshness, reason, isPast: asOf === null ? null : asOf <= Date.now() }
  })
  window.engine = engine
`

interface Tab {
  /** Ids of transactions that are accepted, and not reverted. */
  readonly accepted: readonly string[]
  readonly balance: string
  readonly shown: { readonly freshness: string; readonly reason: string | null; readonly isPast: boolean | null }
  readonly scores: readonly string[]
  readonly sharing: { readonly connection: string; readonly tabs: number | null; readonly reason: string | null }
  readonly connectionStatus: string
}

const read = <Key extends keyof Tab>(page: Page, key: Key): Promise<Tab[Key]> =>
  page.evaluate((name) => (window as unknown as Tab)[name as Key], key as string)

const devnode = eachFile(() => createDevnode({ accounts: 1, blockInterval: 0 }))
const pages = eachFile(() => servePages(pageOf(devnode)))
afterEach(async () => {
  await Promise.all(pages.context.pages().map((page) => page.close()))
  await expect.poll(() => devnode.connections()).toEqual([])
})

async function openTab(from = pages): Promise<Page> {
  const page = await from.open()
  await expect.poll(() => read(page, 'connectionStatus')).toBe('connected')
  countAtOpen.set(page, acceptedIds().length)
  return page
}

/** Mines a block, and waits until each tab has its score. */
async function mineFor(tabs: readonly Page[]): Promise<void> {
  await devnode.mine(1)
  const score = String(devnode.expected.virtualDaaScore())
  for (const page of tabs) await expect.poll(async () => (await read(page, 'scores')).at(-1)).toBe(score)
}

/** Runs a script in the shared worker. */
async function evaluateInWorker(expression: string): Promise<void> {
  const session = await pages.context.browser()!.newBrowserCDPSession()
  const { targetInfos } = await session.send('Target.getTargets')
  const { targetId } = targetInfos.find(({ type, url }) => type === 'shared_worker' && url.startsWith(pages.url))!
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
  await session.send('Target.sendMessageToTarget', { sessionId, message })
}

const stateOf = (page: Page) => read(page, 'sharing')

const acceptedIds = (): readonly string[] =>
  devnode.expected.accepted().flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds)

/** Each tab has the balance of the devnode, and each transaction that was accepted since it opened, once. */
async function expectComplete(tabs: readonly Page[]): Promise<void> {
  for (const page of tabs) {
    const [expected] = devnode.expected.balances([devnode.accounts[0]!.address])
    await expect.poll(() => read(page, 'balance')).toBe(String(expected!.mature))
    const accepted = async () => (await read(page, 'accepted')).slice(-acceptedSince(page))
    await expect.poll(accepted).toEqual(acceptedIds().slice(-acceptedSince(page)))
    const all = await read(page, 'accepted')
    expect(new Set(all).size).toBe(all.length)
  }
}

const countAtOpen = new WeakMap<Page, number>()
const acceptedSince = (page: Page): number => acceptedIds().length - (countAtOpen.get(page) ?? 0)

/** Runs in a page. */
async function countStored(): Promise<number> {
  const name = (await indexedDB.databases()).find((each) => each.name?.endsWith('/state'))?.name
  if (name === undefined) return 0
  const result = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve) => (request.onsuccess = () => resolve(request.result)))
  const database = await result(indexedDB.open(name))
  const count = await result(database.transaction('columns').objectStore('columns').count())
  database.close()
  return count
}

describe('tabs of one origin', () => {
  it('have one socket while they come and go', async () => {
    const tabs = [await openTab(), await openTab(), await openTab()]
    expect(devnode.connections()).toHaveLength(1)
    await expect.poll(() => stateOf(tabs[0]!)).toMatchObject({ connection: 'shared', tabs: 3, reason: null })
    const more = await Promise.all(Array.from({ length: FULL ? 7 : 0 }, () => openTab()))
    await mineFor([...tabs, ...more])
    expect(devnode.connections()).toHaveLength(1)
    for (const page of more) await page.close()
    await mineFor(tabs)
    await tabs.shift()!.close() // the tab that opened it
    await mineFor(tabs)
    tabs.push(await openTab())
    await mineFor(tabs)
    expect(devnode.connections()).toHaveLength(1)
    await expect.poll(async () => (await stateOf(tabs[0]!)).tabs).toBe(3)
    await expectComplete(tabs.slice(0, 2))
    expect(pages.problems).toEqual([])
  })

  it('show the last balance after a reload without a node, and have no database of it after forget', async () => {
    const page = await pages.open('?state')
    await mineFor([page])
    const [expected] = devnode.expected.balances([devnode.accounts[0]!.address])
    await expect.poll(() => read(page, 'shown')).toMatchObject({ freshness: 'fresh' })
    await expect.poll(() => page.evaluate(countStored)).toBe(1)
    await page.goto(`${pages.url}?state&url=ws://127.0.0.1:9`)
    await expect.poll(() => read(page, 'shown')).toEqual({ freshness: 'stale', reason: 'restored', isPast: true })
    expect(await read(page, 'balance')).toBe(String(expected!.mature))
    const databases = await page.evaluate(async () => {
      await (window as unknown as { engine: ChainEngine }).engine.sharing.forget()
      return indexedDB.databases()
    })
    expect(databases.filter(({ name }) => name?.endsWith('/state'))).toEqual([])
  })

  it('have a socket of their own, and say why, where the code that shares cannot be loaded', async () => {
    const page = await pages.context.newPage()
    await page.route(/open-shared-port/, (route) => route.abort())
    await page.goto(pages.url)
    await expect.poll(() => read(page, 'connectionStatus')).toBe('connected')
    expect(await stateOf(page)).toMatchObject({ connection: 'own', tabs: null, reason: 'blocked' })
    await mineFor([page])
    await page.close()
  })

  it('go on with one socket after the tab that started the worker has crashed', async () => {
    const [first, ...tabs] = [await openTab(), await openTab(), await openTab()]
    await mineFor(tabs)
    const crashed = new Promise((done) => first.once('crash', done))
    void first.goto('chrome://crash').catch(() => undefined) // it never settles
    await crashed
    await mineFor(tabs)
    await expect.poll(() => devnode.connections().length).toBe(1)
    await expectComplete(tabs)
  })

  it.runIf(FULL)('go on with one socket while one is frozen, which misses nothing once it thaws', async () => {
    const [first, ...tabs] = [await openTab(), await openTab(), await openTab()]
    const session = await pages.context.newCDPSession(first)
    await session.send('Page.setWebLifecycleState', { state: 'frozen' }) // the tab that started the worker
    for (let block = 0; block < 20; block++) await mineFor(tabs)
    expect(devnode.connections()).toHaveLength(1)
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await mineFor([first, ...tabs])
    await expectComplete([first, ...tabs])
    expect(devnode.connections()).toHaveLength(1)
  })

  it.runIf(FULL)('have sockets of their own where the worker hangs', async () => {
    const tabs = [await openTab(), await openTab()]
    await mineFor(tabs)
    await evaluateInWorker('for (;;);')
    await devnode.mine(1)
    for (const page of tabs)
      await expect.poll(() => stateOf(page)).toMatchObject({ connection: 'own', reason: 'unresponsive' })
    await mineFor(tabs)
    await expectComplete(tabs)
  })

  it('have sockets of their own where the Content-Security-Policy forbids the worker', async () => {
    const policy = `script-src 'self'; worker-src 'none'; connect-src 'self' ${devnode.urls.borsh}`
    const strict = await servePages(pageOf(devnode), { 'content-security-policy': policy })
    const page = await openTab(strict)
    expect(await stateOf(page)).toMatchObject({ connection: 'own', tabs: null, reason: 'blocked' })
    await mineFor([page])
    expect(strict.problems).toHaveLength(1) // the line of the browser
    await strict.close()
  })

  it('go on with sockets of their own where the worker has ended itself', async () => {
    const tabs = [await openTab(), await openTab()]
    await mineFor(tabs)
    await evaluateInWorker('self.close()')
    await mineFor(tabs)
    await expectComplete(tabs)
    for (const page of tabs) {
      const { connection, reason } = await stateOf(page)
      expect(connection === 'own' ? reason : 'shared').toMatch(/unresponsive|shared/)
    }
  })
})

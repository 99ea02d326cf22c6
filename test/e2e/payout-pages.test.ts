import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { openRecipients } from '../payouts/support/queue.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { FULL } from '../full.js'
import { servePages, type PagesOfOneProfile } from './pages-of-one-profile.js'

const KAS = 100_000_000n
const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** A tab of an app that pays, by the node of its query, from one address by a journal in IndexedDB. */
const pageOf = ({ address, privateKeyHex }: Payer): string => `
  import { createApp, h } from 'vue'
  import { VueChain, useChainEngine, usePayouts } from ${file('index.ts')}
  import { light } from ${file('light/index.ts')}
  import { createPayouts, indexedDbJournal } from ${file('payouts/index.ts')}
  createApp({
    setup() {
      const engine = useChainEngine()
      const queue = createPayouts({
        engine,
        journal: indexedDbJournal(),
        addresses: ['${address}'],
        privateKeys: ['${privateKeyHex}'],
        minConfirmations: 2,
        submitInterval: 500,
        batch: { maxWait: 0, maxOutputs: 1, splitTo: 1 },
      })
      queue.run().catch((error) => console.error(error))
      const { pay, payouts, waiting, error } = usePayouts(queue)
      window.pay = (id, address) => pay(id, { address, amount: ${KAS}n }).then(({ state }) => state)
      window.phase = () => document.querySelector('p').dataset.phase
      queue.status$.subscribe(({ phase }) => (window.phase = () => phase))
      const states = () => payouts.value.map(({ id, state }) => id + ' ' + state).sort().join(', ')
      return () => h('p', { 'data-waiting': waiting.value.length, 'data-error': String(error.value) }, states())
    },
  })
    .use(VueChain, {
      network: 'simnet',
      url: new URLSearchParams(location.search).get('node'),
      sdk: light,
      reconnect: { maxRetries: Infinity },
    })
    .mount(document.body.appendChild(document.createElement('div')))
`

declare global {
  interface Window {
    /** Resolves to the state once the payment is stored. */
    pay(id: string, address: string): Promise<string>
    phase(): string
  }
}

interface Payer {
  readonly address: string
  readonly privateKeyHex: string
}

let devnode: Devnode
let pages: PagesOfOneProfile
let recipients: Account
beforeEach(async () => {
  const probe = await createDevnode({ accounts: 1 })
  const [payer] = probe.accounts
  await probe.close()
  const utxos = Array.from({ length: 5 }, () => ({ address: payer!.address, amount: 1_000n * KAS }))
  devnode = await createDevnode({ accounts: 0, blockInterval: 0, utxos })
  recipients = await openRecipients()
  pages = await servePages(pageOf(payer!))
})
afterEach(async () => {
  await pages.close()
  await devnode.close()
})

async function openTab(): Promise<Page> {
  const page = await pages.open(`?node=${devnode.urls.borsh}`)
  await expect.poll(() => page.evaluate(() => typeof window.phase)).toBe('function')
  return page
}

const pay = (page: Page, id: number): Promise<string> =>
  page.evaluate(([name, address]) => window.pay(name, address), [`p${id}`, recipients.address(id)] as const)
const phaseOf = (page: Page): Promise<string> => page.evaluate(() => window.phase())
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length
const textOf = (page: Page): Promise<string | null> => page.locator('p').textContent()

/** The tab that works, and those that stand by: each waits for the lock, so that one of them has it next. */
async function byPhase(tabs: readonly Page[]): Promise<{ readonly working: Page; readonly others: readonly Page[] }> {
  const phases = (): Promise<readonly string[]> => Promise.all(tabs.map(phaseOf))
  const expected = ['running', ...tabs.slice(1).map(() => 'stand-by')]
  await expect.poll(async () => [...(await phases())].sort()).toEqual(expected)
  const at = (await phases()).indexOf('running')
  return { working: tabs[at]!, others: tabs.filter((_, index) => index !== at) }
}

async function crash(page: Page): Promise<void> {
  const session = await pages.context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  void session.send('Page.crash').catch(() => undefined) // its reply is lost with the page
  await crashed
}

/** Mines until each payment is settled as a tab shows it. */
async function mineUntilSettled(page: Page, ids: readonly number[]): Promise<void> {
  const expected = ids
    .map((id) => `p${id} settled`)
    .sort()
    .join(', ')
  await pollMined(devnode, () => textOf(page)).toBe(expected)
}

it('pays each id once from three tabs, one of which crashes and one is closed while it works', async () => {
  const count = FULL ? 60 : 15
  const twice = FULL ? 10 : 4
  const ids = Array.from({ length: count }, (_, id) => id)
  const tabs = [await openTab(), await openTab(), await openTab()]
  const first = await byPhase(tabs)
  await Promise.all(ids.map((id) => pay(tabs[id % 3]!, id)))
  await crash(first.working)
  await Promise.all(ids.slice(0, twice).map((id) => pay(first.others[id % 2]!, id)))
  const second = await byPhase(first.others)
  await devnode.mine()
  await second.working.close()
  const [last] = second.others
  await mineUntilSettled(last!, ids)
  expect(ids.map(timesPaid)).toEqual(ids.map(() => 1))
  expect(await last!.locator('p').getAttribute('data-waiting')).toBe('0')
  expect(pages.problems).toEqual([])
})

it('lets another tab work once the browser announces that it freezes one, and pays from both', async () => {
  const { working, others } = await byPhase([await openTab(), await openTab()])
  const [other] = others
  await working.evaluate(() => document.dispatchEvent(new Event('freeze'))) // as Chromium does: it does not bubble
  await expect.poll(() => phaseOf(other!)).toBe('running')
  await Promise.all([pay(other!, 1), pay(working, 2)])
  await mineUntilSettled(working, [1, 2])
  expect([1, 2].map(timesPaid)).toEqual([1, 1])
  expect(pages.problems).toEqual([])
})

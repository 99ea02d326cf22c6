import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import type { SharingState } from '../../src/engine/features/sharing.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { claimingPage } from './claiming-page.js'
import { TAB_BROWSERS, type BrowserTab, type TabBrowser } from './tab-browsers.js'

/** Rounds in which five tabs pay at once from two UTXOs. */
const ROUNDS = 200

let devnode: Devnode
let page: BuiltPage
let browser: TabBrowser
beforeAll(async () => {
  // two payments of 1 KAS a round, and their fees, in three browsers
  devnode = await createDevnode({ accounts: 2, balance: 200_000_000_000n, blockInterval: 0 })
  await devnode.mine(2)
  page = await servePage(claimingPage(devnode), {}, { __VUE_CHAIN_WASM__: 'false' })
})
afterAll(async () => {
  page.close()
  await devnode.close()
})
afterEach(async () => {
  await browser.close()
  await expect.poll(() => devnode.connections()).toEqual([])
})

async function openTab(): Promise<BrowserTab> {
  const tab = await browser.open(`${page.url}?node=${devnode.urls.borsh}`)
  await tab.evaluate('void ready.then(() => (window.isReady = true))')
  await expect.poll(() => tab.evaluate('window.isReady ?? false')).toBe(true)
  return tab
}

const paid = (): readonly string[] =>
  devnode.expected.transfers([devnode.accounts[1]!.address]).map(({ transactionId }) => transactionId)

/** All tabs pay at once; the ids, and errors with their codes, and whether a tab paid without claims of the others. */
async function race(tabs: readonly BrowserTab[]) {
  await Promise.all(tabs.map((tab) => tab.evaluate('void race()')))
  const raced = (): Promise<readonly (string | null)[]> =>
    Promise.all(tabs.map((tab) => tab.evaluate<string | null>('window.raced ?? null')))
  await expect.poll(raced).not.toContain(null)
  const alone = await Promise.all(tabs.map((tab) => tab.evaluate<boolean>('wasAlone')))
  return { results: (await raced()) as readonly string[], isAlone: alone.includes(true) }
}

describe.each(TAB_BROWSERS)('the tabs of $name', ({ isInstalled, launch }) => {
  it.runIf(isInstalled)('pay once from each UTXO, on one socket, with tabs that come and go', async () => {
    browser = await launch()
    const tabs = await Promise.all(Array.from({ length: 5 }, () => openTab()))
    const before = paid().length
    const ids: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { results, isAlone } = await race(tabs)
      const made = results.filter((result) => /^[0-9a-f]{64}$/.test(result))
      expect(made.length, `round ${round}: ${results.join()}`).toBeGreaterThan(0)
      ids.push(...made)
      const refused = results.filter((result) => !made.includes(result))
      const why = `round ${round}${isAlone ? ', in which a tab paid without claims' : ''}`
      expect(
        refused.filter((error) => !/^(insufficient-funds|aborted): /.test(error)),
        why,
      ).toEqual([])
      await devnode.mine(2)
      if (round % 50 === 25) {
        await tabs.shift()!.close() // at first the one that started the shared worker
        tabs.push(await openTab())
      }
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect([...paid().slice(before)].sort()).toEqual([...ids].sort())
    const states = await Promise.all(tabs.map((tab) => tab.evaluate<SharingState>('sharing')))
    expect(states.map(({ claims }) => claims)).toEqual(tabs.map(() => 'shared'))
    // a tab whose worker took longer than two seconds, of a busy machine, has a socket of its own
    const own = states.filter(({ connection }) => connection === 'own')
    expect(own.map(({ reason }) => reason)).toEqual(own.map(() => 'unresponsive'))
    expect(own.length).toBeLessThan(tabs.length)
    expect(devnode.connections()).toHaveLength(own.length + 1)
  })
})

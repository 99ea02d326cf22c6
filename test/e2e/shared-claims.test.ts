import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { FULL } from '../full.js'
import { claimingPage, type Progress } from './claiming-page.js'
import { servePages, type PagesOfOneProfile } from './pages-of-one-profile.js'

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
  pages = await servePages(claimingPage(devnode))
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

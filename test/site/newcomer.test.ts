import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { serveSite } from './site.js'

const site = serveSite()

/** What a stranger wants to know, the words they type, and the page that explains it. */
const QUESTIONS = [
  ['How do I get testnet coins?', 'testnet coins', 'recipes/testnet-coins'],
  ['What is a kpub, and how do I get one?', 'kpub', 'recipes/export-a-kpub'],
  ['How do users sign in with a wallet?', 'sign in', 'sign-in'],
  ['How do I accept a payment?', 'checkout', 'recipes/checkout'],
  ['How do I sell a file?', 'sell a file', 'getting-paid'],
  ['How do I return money?', 'refund', 'recipes/refund'],
  ['How do I show a QR code for a payment?', 'QR code', 'components/ReceivePayment'],
  ['How does my server learn that an order is paid?', 'webhook', 'recipes/webhook'],
  ['How do I show a balance?', 'show a balance', 'getting-started'],
  ['How do I send a payment?', 'send payment', 'transactions'],
  ['How many confirmations are enough?', 'how many confirmations', 'deposit-watcher'],
  ['What does it cost to send?', 'fee', 'transactions'],
  ['How do I run a node on my machine?', 'local network', 'devnode'],
  ['Does it work with Nuxt?', 'nuxt', 'nuxt'],
  ['Does it work without Vue?', 'without vue', 'streams'],
  ['How do I test a component?', 'test component', 'test-a-component'],
  ['Which browser wallets work?', 'kasware', 'composables/useWallet'],
  ['What is sompi?', 'sompi', 'kaspa-in-five-minutes'],
  ['What happens in a reorg?', 'reorg', 'kaspa-in-five-minutes'],
  ['Why does it not connect?', 'connect-failed', 'errors'],
  ['How do I create a mnemonic?', 'mnemonic', 'keys'],
  ['What do I check before mainnet?', 'go live', 'recipes/go-live'],
  ['Can my assistant read these pages?', 'mcp', 'assistants'],
] as const

/** How many results are seen without scrolling. */
const SEEN = 8

it('finds the page for each question of a newcomer among the results that are seen at once', async () => {
  const { page } = await site.visit('/getting-started.html')
  const rows = []
  for (const [question, words, expected] of QUESTIONS) {
    await page.waitForFunction(() => document.querySelector('.VPLocalSearchBox') === null)
    const begin = performance.now()
    await expect
      .poll(async () => {
        if ((await page.locator('.VPLocalSearchBox').count()) === 0) await page.keyboard.press('Control+KeyK')
        return page.locator('.VPLocalSearchBox').count()
      })
      .toBe(1)
    await page.getByPlaceholder('Search').fill(words)
    const links = page.locator('.results a')
    const found = async (): Promise<number> => {
      const pages = await links.evaluateAll((all) =>
        all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
      )
      return pages.indexOf(`/${expected}.html`) + 1
    }
    await expect.poll(found, { message: `${question} (${words})` }).toBeGreaterThan(0)
    const ms = Math.round(performance.now() - begin)
    rows.push({ question, words, page: expected, rank: await found(), ms })
    await page.keyboard.press('Escape')
  }
  mkdirSync('test-results', { recursive: true })
  writeFileSync('test-results/newcomer.json', `${JSON.stringify(rows, null, 1)}\n`)
  expect(rows.filter(({ rank }) => rank > SEEN)).toEqual([])
  await page.close()
})

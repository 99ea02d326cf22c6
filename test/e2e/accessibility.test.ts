import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { FULL } from '../full.js'
import { violations } from './axe.js'
import { takeScreenshot } from './browser.js'
import { DAY, setupDemo } from './demo-harness.js'

const harness = setupDemo({ past: DAY })

/** Checks what the page shows at each width, in pixels. */
async function expectAccessible(page: Page, view: string, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    const name = `${view}-${width}`
    await page.setViewportSize({ width, height: 900 })
    expect(await violations(page), name).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width)
    expect(await page.locator('body').innerText(), name).not.toMatch(/undefined|NaN|null|\[object/)
    await takeScreenshot(page, name)
  }
}

/** Of a theme, the widths that a test covers: layouts do not depend on it, so that colors of one are enough. */
const widthsOf = (theme: 'light' | 'dark', widths: readonly number[]): readonly number[] =>
  theme === 'light' || FULL ? widths : widths.slice(0, 1)

/** Whether all pages are checked in a theme: they share its colors with the first page. */
const isWhole = (theme: 'light' | 'dark'): boolean => theme === 'light' || FULL

// A test goes through the states of a page once, and checks each state at its widths.
describe.each(['light', 'dark'] as const)('in %s, without axe violations and horizontal overflow', (theme) => {
  it('is the page', async () => {
    const { page, problems } = await harness.visit('', { width: 360, theme })
    await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
    await page.getByTestId('activity').getByText('ours').first().waitFor()
    await page.getByRole('group', { name: 'Fee' }).waitFor()
    for (const width of widthsOf(theme, [360, 900, 1280])) {
      await expectAccessible(page, `demo-${theme}`, [width])
      for (const label of ['Wire encoding', 'Keys and signatures', 'Theme'])
        expect((await page.locator('header legend', { hasText: label }).boundingBox())?.width).toBeGreaterThan(20)
    }
    expect(problems).toEqual([])
  })

  it.runIf(isWhole(theme))('is the explorer', async () => {
    const { page, problems } = await harness.visit('#/explorer', { width: 320, theme })
    const expectView = (view: string) =>
      expectAccessible(page, `explorer-${view}-${theme}`, widthsOf(theme, [320, 360, 1280]))
    const chain = page.getByRole('region', { name: 'Table of the last chain blocks' }).getByRole('link')
    await chain.first().waitFor()
    await page.locator('canvas').first().waitFor()
    await expectView('network')
    await page.getByText(/figures, .* an hour$/).press('Enter')
    await expectView('figures')
    await chain.first().click()
    await page.getByRole('region', { name: 'Transactions of the block' }).getByRole('link').first().click()
    await page.getByTestId('status').waitFor()
    await expectView('transaction')
    await page.getByRole('region', { name: 'Outputs' }).getByRole('link').first().click()
    await page.getByRole('region', { name: /^Transactions of the address/ }).waitFor()
    await page.locator('canvas').first().waitFor()
    await expectView('address')
    await page.getByTestId('search').fill('kaspasim:qqqq')
    await page.keyboard.press('Enter')
    await expectView('refused')
    expect(problems).toEqual([])
  })

  it.runIf(isWhole(theme))('is the wallet page in each state of its dialog', async () => {
    const { page, problems } = await harness.visit('#/wallet', { width: 320, theme })
    const button = (name: string | RegExp) => page.getByRole('button', { name })
    const expectView = (view: string) =>
      expectAccessible(page, `wallet-${view}-${theme}`, widthsOf(theme, [320, 360, 1280]))
    await button('Connect wallet').click()
    await page.getByText('No wallet was found in this browser').waitFor()
    await expectView('none')
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: 'Fake KasWare' }).check()
    await button('Connect wallet').click()
    await button('KasWare Installed').click()
    await button('Approve').waitFor()
    await expectView('prompt')
    await button('Reject').click()
    await page.locator('.vc-information').waitFor()
    await expectView('declined')
    await button('KasWare Installed').click()
    await button('Approve').click()
    await button(/^kaspatest:/).click()
    await page.locator('dialog').getByText('Testnet 10').waitFor()
    await expectView('account')
    await page.keyboard.press('Escape')
    await button('KasWare: Mainnet').click()
    await button('Wrong network').click()
    await button('Switch to Testnet 10').waitFor()
    await expectView('wrong-network')
    await page.keyboard.press('Escape')
    await button('KasWare: Lock').click()
    await button('Wallet locked').click()
    await page.locator('dialog').getByText('KasWare is locked.').waitFor()
    await expectView('locked')
    expect(problems).toEqual([])
  })
})

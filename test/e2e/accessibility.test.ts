import { describe, expect, it } from 'vitest'
import { violations } from './axe.js'
import { takeScreenshot, type View, type WatchedPage } from './browser.js'
import { setupDemo } from './demo-harness.js'

const harness = setupDemo()

/** With reduced motion: an element that is fading in has too little contrast. */
const visit = (path: string, view: View): Promise<WatchedPage> => harness.visit(path, { ...view, motion: 'reduce' })

describe.each(['light', 'dark'] as const)('the page in %s', (theme) => {
  it.each([360, 900, 1280])('has no axe violations and no horizontal overflow at %i pixels', async (width) => {
    const { page, problems } = await visit('', { width, theme })
    await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
    await page.getByTestId('activity').getByText('ours').first().waitFor()
    await page.getByRole('group', { name: 'Fee' }).waitFor()
    expect(await violations(page)).toEqual([])
    for (const label of ['Wire encoding', 'Keys and signatures', 'Theme'])
      expect((await page.locator('header legend', { hasText: label }).boundingBox())?.width).toBeGreaterThan(20)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null|\[object/)
    await takeScreenshot(page, `demo-${theme}-${width}`)
    expect(problems).toEqual([])
    await page.close()
  })
})

describe.each(['light', 'dark'] as const)('the explorer in %s', (theme) => {
  it.each([320, 360, 1280])('has no axe violations and no horizontal overflow at %i pixels', async (width) => {
    const { page, problems } = await visit('#/explorer', { width, theme })
    const expectAccessible = async (view: string) => {
      await page.locator('canvas').first().waitFor()
      expect(await violations(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null|\[object/)
      await takeScreenshot(page, `explorer-${view}-${theme}-${width}`)
    }
    const chain = page.getByRole('region', { name: 'Table of the last chain blocks' }).getByRole('link')
    await chain.first().waitFor()
    await expectAccessible('network')
    await page.getByText(/figures, .* an hour$/).click()
    expect(await violations(page)).toEqual([])

    await chain.first().click()
    await page.getByRole('region', { name: 'Transactions of the block' }).getByRole('link').first().click()
    await page.getByTestId('status').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('region', { name: 'Outputs' }).getByRole('link').first().click()
    await page.getByRole('region', { name: /^Transactions of the address/ }).waitFor()
    await expectAccessible('address')
    await page.getByTestId('search').fill('kaspasim:qqqq')
    await page.keyboard.press('Enter')
    expect(await violations(page)).toEqual([])
    expect(problems).toEqual([])
    await page.close()
  })
})

describe.each(['light', 'dark'] as const)('the wallet page in %s', (theme) => {
  it.each([320, 360, 1280])(
    'has no axe violations and no horizontal overflow at %i pixels in each state of its dialog',
    async (width) => {
      const { page, problems } = await visit('#/wallet', { width, theme })
      const button = (name: string | RegExp) => page.getByRole('button', { name })
      const expectAccessible = async (view: string) => {
        expect(await violations(page), view).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
        await takeScreenshot(page, `wallet-${view}-${theme}-${width}`)
      }
      await button('Connect wallet').click()
      await page.getByText('No wallet was found in this browser').waitFor()
      await expectAccessible('none')
      await page.keyboard.press('Escape')
      await page.getByRole('switch', { name: 'Fake KasWare' }).check()
      await button('Connect wallet').click()
      await button('KasWare Installed').click()
      await button('Approve').waitFor()
      await expectAccessible('prompt')
      await button('Reject').click()
      await page.locator('.vc-information').waitFor()
      await expectAccessible('declined')
      await button('KasWare Installed').click()
      await button('Approve').click()
      await button(/^kaspatest:/).click()
      await page.locator('dialog').getByText('Testnet 10').waitFor()
      await expectAccessible('account')
      await page.keyboard.press('Escape')
      await button('KasWare: Mainnet').click()
      await button('Wrong network').click()
      await button('Switch to Testnet 10').waitFor()
      await expectAccessible('wrong-network')
      await page.keyboard.press('Escape')
      await button('KasWare: Lock').click()
      await button('Wallet locked').click()
      await page.locator('dialog').getByText('KasWare is locked.').waitFor()
      await expectAccessible('locked')
      expect(problems).toEqual([])
      await page.close()
    },
  )
})

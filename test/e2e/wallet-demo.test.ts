import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FULL } from '../full.js'
import { chooseLight, readFakeWallets, takeScreenshot, type WatchedPage } from './browser.js'
import { setupDemo } from './demo-harness.js'

const harness = setupDemo()

/** The wallet page with simulated wallets. */
async function visit(...wallets: readonly string[]): Promise<WatchedPage> {
  const visited = await harness.visit('#/wallet')
  for (const wallet of wallets) await visited.page.getByRole('switch', { name: `Fake ${wallet}` }).check()
  return visited
}

/** Connects by the button, the list and the simulated prompt. */
async function connect(page: Page, wallet: string): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: `${wallet} Installed` }).click()
  await approve(page)
  await page.getByTestId('wallet-status').getByText('connected', { exact: true }).waitFor()
}

const approve = (page: Page): Promise<void> => page.getByRole('button', { name: 'Approve' }).click()

describe('the wallet page', () => {
  it.each(FULL ? ['KasWare', 'Kastle', 'Example Wallet'] : ['KasWare', 'Example Wallet'])(
    'connects, pays, signs and disconnects with %s',
    async (wallet) => {
      const { page, problems } = await visit(wallet)
      await connect(page, wallet)
      await page.getByTestId('wallet-network').getByText('Testnet 10').waitFor()
      await page.getByRole('button', { name: 'Pay 1 KAS' }).click()
      await approve(page)
      await page.getByTestId('paid').waitFor()
      await page.getByRole('button', { name: 'Sign', exact: true }).click()
      await approve(page)
      await page.getByTestId('signed').getByText('the signature is valid').waitFor()
      await page.getByRole('button', { name: /^kaspatest:/ }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
      await page.getByTestId('wallet-status').getByText('not connected').waitFor()
      expect(problems).toEqual([])
    },
  )

  it('restores the simulated wallet and its connection after a reload', async () => {
    const { page, problems } = await visit('KasWare')
    await connect(page, 'KasWare')
    await page.reload()
    await page.getByTestId('wallet-status').getByText('connected', { exact: true }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('updates on changes in the simulated wallet', async () => {
    const { page, problems } = await visit('KasWare')
    await connect(page, 'KasWare')
    const address = page.getByTestId('wallet-address')
    const first = await address.getAttribute('data-test-address')
    await page.getByRole('button', { name: 'KasWare: Second account' }).click()
    await expect.poll(() => address.getAttribute('data-test-address')).not.toBe(first)
    await page.getByRole('button', { name: 'KasWare: Mainnet' }).click()
    await page.getByRole('button', { name: 'Wrong network' }).click()
    await page.getByRole('button', { name: 'Switch to Testnet 10' }).click()
    await approve(page)
    await page.getByTestId('wallet-network').getByText('Testnet 10').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'KasWare: Lock' }).click()
    await page.getByRole('button', { name: 'Wallet locked' }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows that the user declined a payment', async () => {
    const { page, problems } = await visit('Kastle')
    await connect(page, 'Kastle')
    await page.getByRole('button', { name: 'Pay 1 KAS' }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Wallet operation "sendKaspa" failed').waitFor()
    expect(problems).toEqual([])
  })
})

describe('the wallet page with an installed wallet', () => {
  /** The page with an installed wallet, injected a second after the page load. */
  async function visitWithReal(network: string): Promise<Page> {
    const page = await harness.browser.newPage()
    await chooseLight(page)
    onTestFinished(() => page.close())
    await page.addInitScript({ content: readFakeWallets() })
    await page.addInitScript(
      (state) => {
        window.a = window.fakeWallets.createFakeWalletA({ state })
        window.a.install({ after: 1_000 })
      },
      { network },
    )
    await page.goto(`${harness.demo.url}#/wallet`)
    return page
  }

  it('does not simulate a wallet of that name', async () => {
    const page = await visitWithReal('testnet-10')
    await page.getByText('the extension is installed').waitFor()
    expect(await page.getByRole('switch', { name: 'Fake KasWare' }).isDisabled()).toBe(true)
  })

  it('shows the wallet’s message of a failed payment', async () => {
    const page = await visitWithReal('testnet-10')
    await page.getByText('the extension is installed').waitFor()
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('button', { name: 'KasWare Installed' }).click()
    await page.evaluate(() => window.a.failNext('sendKaspa', { code: -32603, message: 'Storage mass exceeds maximum' }))
    await page.getByRole('button', { name: 'Pay 1 KAS' }).click()
    await page.getByText('Storage mass exceeds maximum').waitFor()
  })

  it('warns of real money before a payment on mainnet, and on no other network', async () => {
    const page = await visitWithReal('mainnet')
    await page.getByText('the extension is installed').waitFor()
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('button', { name: 'KasWare Installed' }).click()
    await page.getByText('this pays real money').waitFor()
    await page.getByRole('button', { name: 'Switch to Testnet 10' }).click()
    await page.getByText('this pays real money').waitFor({ state: 'detached' })
  })
})

describe('the dialog by keyboard', () => {
  it('traps the focus, closes on Escape, and restores the focus', async () => {
    const { page, problems } = await visit('KasWare')
    const trigger = page.getByRole('button', { name: 'Connect wallet' })
    await trigger.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor()
    const stops: string[] = []
    for (let step = 0; step < 5; step++) {
      await page.keyboard.press('Tab')
      stops.push(
        await page.evaluate(
          () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
        ),
      )
    }
    const cycle = stops.slice(stops.indexOf('Close'))
    expect(cycle.slice(0, 4)).toEqual(['Close', 'KasWare Installed', 'Get Kastle', 'Close'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => trigger.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(problems).toEqual([])
  })

  it('connects, and focuses the button with the address', async () => {
    const { page } = await visit('KasWare')
    await page.getByRole('button', { name: 'Connect wallet' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'KasWare Installed' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Let this site see your account?' }).waitFor()
    await page.getByRole('button', { name: 'Approve' }).focus()
    await page.keyboard.press('Enter')
    await page.getByTestId('wallet-status').getByText('connected', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^kaspatest:/)
  })

  it('moves the focus to the heading when its content changes', async () => {
    const { page } = await visit('KasWare')
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    await page.getByRole('button', { name: 'KasWare Installed' }).click()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.locator('.vc-information').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true)
  })
})

it.each(FULL ? (['light', 'dark'] as const) : (['light'] as const))(
  'the dialog in %s fits screens of 320, 360 and 1280 pixels',
  async (theme) => {
    const { page, problems } = await harness.visit('#/wallet', { width: 320, theme })
    await page.getByRole('button', { name: 'Connect wallet' }).click()
    const dialog = page.getByRole('dialog', { name: 'Connect a wallet' })
    await dialog.getByText('Get Kastle').waitFor()
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const box = await dialog.boundingBox()
      expect(box!.x).toBeGreaterThanOrEqual(0)
      expect(box!.x + box!.width).toBeLessThanOrEqual(width)
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
      await takeScreenshot(page, `wallet-${theme}-${width}`)
    }
    expect(problems).toEqual([])
  },
)

import type { Locator, Page } from 'playwright-core'
import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launch } from './browser.js'
import { openHarness, openWalletFixture } from './wallet-harness.js'
import { eachFile } from '../lifetimes.js'

const fixture = eachFile(() => openWalletFixture())

const STYLE = resolve(import.meta.dirname, '../../src/adapters/vue/components/style')
const defaultStyle = readdirSync(STYLE)
  .sort()
  .map((file) => readFileSync(resolve(STYLE, file), 'utf8'))
  .join('\n')

/** The page with KasWare, and the default style after `pageStyle`, a style sheet of the page. */
async function visit(pageStyle = '', { browser } = fixture): Promise<Page> {
  const { page } = await openHarness({ ...fixture, browser }, { a: {} })
  onTestFinished(() => page.close()) // no other test uses it: it has a style
  for (const content of [pageStyle, defaultStyle].filter((sheet) => sheet !== '')) await page.addStyleTag({ content })
  return page
}

const triggerOf = (page: Page): Locator => page.locator('.vc-trigger')
const dialogOf = (page: Page): Locator => page.locator('dialog[open]')

async function open(page: Page): Promise<void> {
  await triggerOf(page).click()
  await dialogOf(page).waitFor()
}

/** Connects and opens the account dialog. */
async function openAccount(page: Page): Promise<void> {
  await open(page)
  await page.getByRole('button', { name: 'KasWare' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  await open(page)
}

const leftEdgeOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.x ?? NaN

describe('the dialog', () => {
  it('stays open after a double click on the button', async () => {
    const page = await visit()
    await open(page)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await triggerOf(page).dblclick()
    await page.getByRole('heading', { name: 'Connect a wallet' }).waitFor()
    expect(await dialogOf(page).count()).toBe(1)
  })

  it('closes on a backdrop click, and not on a text selection that ends outside', async () => {
    const page = await visit()
    await open(page)
    await page.getByRole('heading').hover()
    await page.mouse.down()
    await page.mouse.move(4, 400)
    await page.mouse.up()
    expect(await dialogOf(page).count()).toBe(1)
    await page.mouse.click(4, 400)
    await dialogOf(page).waitFor({ state: 'detached' })
  })

  it('is fetched again by the next click after a failed fetch', async () => {
    const page = await visit()
    await page.route('**/*WalletDialog*', (route) => route.abort())
    const failed = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener('unhandledrejection', ({ reason }) => resolve((reason as { code?: unknown }).code)),
        ),
    )
    await triggerOf(page).click()
    expect(await failed).toBe('code-not-loaded') // until the page has the failure, a click belongs to the first fetch
    await page.unroute('**/*WalletDialog*')
    await open(page)
  })

  it('locks scrolling of the page without a layout shift where the page has a scroll bar', async () => {
    const browser = await launch('shown')
    const page = await visit('body { min-height: 3000px; text-align: center }', { ...fixture, browser })
    expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(0)
    const before = await leftEdgeOf(triggerOf(page))
    await open(page)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden')
    expect(await leftEdgeOf(triggerOf(page))).toBe(before)
    await browser.close()
  })
})

describe('the default style', () => {
  it('takes its colours from custom properties of the page, set before or after', async () => {
    const page = await visit(':root { --vc-color-accent: rgb(200, 0, 100) }')
    expect(await triggerOf(page).evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
      'rgb(200, 0, 100)',
    )
  })

  it('does not inherit the text style of a navigation bar', async () => {
    const page = await visit(
      'body { text-transform: uppercase; letter-spacing: 4px; white-space: nowrap; font-weight: 700 }',
    )
    await open(page)
    const textStyle = await dialogOf(page).evaluate((dialog) => {
      const { textTransform, letterSpacing, whiteSpace, fontWeight } = getComputedStyle(dialog)
      return [textTransform, letterSpacing, whiteSpace, fontWeight]
    })
    expect(textStyle).toEqual(['none', 'normal', 'normal', '400'])
  })

  it('shows an address and an amount left to right on a right-to-left page', async () => {
    const page = await visit()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await openAccount(page)
    const address = page.locator('.vc-address > span')
    expect(await leftEdgeOf(address.first())).toBeLessThan(await leftEdgeOf(address.last()))
    expect(await page.locator('.vc-amount').evaluate((amount) => getComputedStyle(amount).direction)).toBe('ltr')
  })

  it('has an address without a line break in a copied selection, shortened in the middle', async () => {
    const page = await visit()
    await openAccount(page)
    const address = page.locator('.vc-address')
    const selected = await address.evaluate((element) => {
      getSelection()?.selectAllChildren(element)
      return String(getSelection())
    })
    expect(selected).toBe(await address.getAttribute('title'))
    // of one instant: the dialog moves while it opens
    const [whole, start, end] = await address.evaluate((element) =>
      [element, ...element.querySelectorAll('span')].map((part) => part.getBoundingClientRect().toJSON() as DOMRect),
    )
    expect(start?.y).toBe(end?.y)
    expect(whole?.height).toBeLessThan(32)
    expect(end!.x + end!.width).toBeLessThanOrEqual(whole!.x + whole!.width + 1)
    expect(end!.x - (start!.x + start!.width)).toBeLessThan(2)
  })

  it('shows a visible status dot in forced colors', async () => {
    const page = await visit()
    await page.emulateMedia({ forcedColors: 'active' })
    await openAccount(page)
    await page.keyboard.press('Escape')
    const [dot, surface] = await page
      .locator('.vc-trigger, .vc-dot')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor).reverse())
    expect(dot).not.toBe(surface)
  })
})

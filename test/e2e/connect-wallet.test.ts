import type { Locator, Page } from 'playwright-core'
import { readFileSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from './browser.js'
import { openScene, openTheatre, type Theatre } from './wallet-scene.js'

let theatre: Theatre
beforeAll(async () => {
  theatre = await openTheatre()
})
afterAll(() => theatre.close())

const STYLE = resolve(import.meta.dirname, '../../src/adapters/vue/components/style')
const look = readdirSync(STYLE)
  .sort()
  .map((file) => readFileSync(resolve(STYLE, file), 'utf8'))
  .join('\n')

/** The page with KasWare in it, and the default look after `own`, a style sheet of the page's. */
async function visit(own = '', { browser } = theatre): Promise<Page> {
  const { page } = await openScene({ ...theatre, browser }, { a: {} })
  for (const content of [own, look].filter((sheet) => sheet !== '')) await page.addStyleTag({ content })
  return page
}

const triggerOf = (page: Page): Locator => page.locator('.vc-trigger')
const dialogOf = (page: Page): Locator => page.locator('dialog[open]')

async function open(page: Page): Promise<void> {
  await triggerOf(page).click()
  await dialogOf(page).waitFor()
}

/** Connects, and opens what there is to see of the account. */
async function openAccount(page: Page): Promise<void> {
  await open(page)
  await page.getByRole('button', { name: 'KasWare' }).click()
  await dialogOf(page).waitFor({ state: 'detached' })
  await open(page)
}

const leftOf = async (part: Locator): Promise<number> => (await part.boundingBox())?.x ?? NaN

describe('the dialog', () => {
  it('stays open where the button is pressed twice, quickly', async () => {
    const page = await visit()
    await open(page)
    await page.keyboard.press('Escape')
    await dialogOf(page).waitFor({ state: 'detached' })
    await triggerOf(page).dblclick()
    await page.getByRole('heading', { name: 'Connect a wallet' }).waitFor()
    expect(await dialogOf(page).count()).toBe(1)
    await page.close()
  })

  it('closes by a press beside it, and not by selecting text from inside to outside', async () => {
    const page = await visit()
    await open(page)
    await page.getByRole('heading').hover()
    await page.mouse.down()
    await page.mouse.move(4, 400)
    await page.mouse.up()
    expect(await dialogOf(page).count()).toBe(1)
    await page.mouse.click(4, 400)
    await dialogOf(page).waitFor({ state: 'detached' })
    await page.close()
  })

  it('is fetched anew by the next press where it could not be fetched', async () => {
    const page = await visit()
    await page.route('**/*WalletDialog*', (route) => route.abort())
    const failed = page.waitForEvent('pageerror') // not before the page knows it: until then a press is part of the first
    await triggerOf(page).click()
    await failed
    await page.unroute('**/*WalletDialog*')
    await open(page)
    await page.close()
  })

  it('lets the page behind it rest, without a jump where that has a scroll bar', async () => {
    const browser = await launch('shown')
    const page = await visit('body { min-height: 3000px; text-align: center }', { ...theatre, browser })
    expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(0)
    const before = await leftOf(triggerOf(page))
    await open(page)
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe('hidden')
    expect(await leftOf(triggerOf(page))).toBe(before)
    await browser.close()
  })
})

describe('the default look', () => {
  it('takes its colours from whatever stands around the component, before it or after', async () => {
    const page = await visit(':root { --vc-accent: rgb(200, 0, 100) }')
    expect(await triggerOf(page).evaluate((button) => getComputedStyle(button).backgroundColor)).toBe(
      'rgb(200, 0, 100)',
    )
    await page.close()
  })

  it('does not speak with the voice of a bar of navigation', async () => {
    const page = await visit(
      'body { text-transform: uppercase; letter-spacing: 4px; white-space: nowrap; font-weight: 700 }',
    )
    await open(page)
    const spoken = await dialogOf(page).evaluate((dialog) => {
      const { textTransform, letterSpacing, whiteSpace, fontWeight } = getComputedStyle(dialog)
      return [textTransform, letterSpacing, whiteSpace, fontWeight]
    })
    expect(spoken).toEqual(['none', 'normal', 'normal', '400'])
    await page.close()
  })

  it('shows an address and an amount as they are, on a page that reads from right to left', async () => {
    const page = await visit()
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
    })
    await openAccount(page)
    const address = page.locator('.vc-address > span')
    expect(await leftOf(address.first())).toBeLessThan(await leftOf(address.last()))
    expect(await page.locator('.vc-amount').evaluate((amount) => getComputedStyle(amount).direction)).toBe('ltr')
    await page.close()
  })

  it('tells by a dot that can be seen in the colours that a user insists on', async () => {
    const page = await visit()
    await page.emulateMedia({ forcedColors: 'active' })
    await openAccount(page)
    await page.keyboard.press('Escape')
    const [dot, surface] = await page
      .locator('.vc-trigger, .vc-dot')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor).reverse())
    expect(dot).not.toBe(surface)
    await page.close()
  })
})

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, open } from './browser.js'
import { startDemo, type DemoProcess } from './demo-process.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Browser
let demo: DemoProcess

beforeAll(async () => {
  ;[browser, demo] = await Promise.all([launch(), startDemo()])
})
afterAll(async () => {
  await browser.close()
  await demo.stop()
})

/** What axe finds wrong, in a line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}

describe.each(['light', 'dark'] as const)('the page in %s', (theme) => {
  it.each([360, 900, 1280])('is without fault to axe at %i pixels, and no wider than the screen', async (width) => {
    const { page, complaints } = await open(browser, demo.url, { width, theme })
    await page.getByTestId('connection').getByText('connected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send 12.5 KAS' }).and(page.locator(':enabled')).click()
    await page.getByTestId('activity').getByText('ours').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(await page.locator('body').innerText()).not.toMatch(/undefined|NaN|null|\[object/)
    await page.screenshot({ path: `test-results/demo-${theme}-${width}.png`, fullPage: true })
    expect(complaints).toEqual([])
    await page.close()
  })
})

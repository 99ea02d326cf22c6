import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { chooseLight } from './browser.js'
import { DAY, setupDemo } from './demo-harness.js'

const harness = setupDemo({ past: DAY })

/** A page whose chart library cannot be loaded, with its uncaught errors. */
async function visit(path: string): Promise<{ readonly page: Page; readonly uncaught: readonly string[] }> {
  const page = await harness.browser.newPage()
  await chooseLight(page)
  onTestFinished(() => page.close())
  const uncaught: string[] = []
  page.on('pageerror', (error) => uncaught.push(String(error)))
  await page.route(/uPlot[^/]*\.js$/, (route) => route.abort())
  await page.goto(harness.demo.url + path)
  return { page, uncaught }
}

describe('a chart whose module fails to load', () => {
  it('leaves the latest values of the throughput readable', async () => {
    const { page, uncaught } = await visit('')
    const chart = page.getByRole('figure').filter({ hasText: 'Blocks' })
    await chart.getByText('The chart could not be loaded.').waitFor()
    await expect.poll(() => chart.locator('strong').innerText()).toMatch(/^\d+\.\d$/)
    expect(await chart.getByRole('img').count()).toBe(0)
    expect(uncaught).toEqual([])
  })

  it('opens the table with the figures of the explorer', async () => {
    const { page, uncaught } = await visit('#/explorer')
    const chart = page.getByRole('figure').filter({ hasText: 'an hour' })
    await chart.getByText('The chart could not be loaded. Its figures:').waitFor()
    await chart.getByRole('region', { name: 'Payments, an hour, as a table' }).getByRole('row').nth(1).waitFor()
    expect(uncaught).toEqual([])
  })
})

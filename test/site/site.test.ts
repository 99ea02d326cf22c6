import { describe, expect, it } from 'vitest'
import { violations } from '../e2e/axe.js'
import { contentWidth, serveSite, THEMES, WIDTHS } from './site.js'

const site = serveSite()

const views = WIDTHS.flatMap((width) => THEMES.map((theme) => [width, theme] as const))

describe.each(views)('the site at %i pixels in %s', (width, theme) => {
  it('shows a live network on its start page that survives faults', async () => {
    const { page, problems } = await site.visit('/', width, theme)
    const score = async (): Promise<number> => Number(await page.locator('[data-test=score]').textContent())
    const log = page.locator('.live-log')
    await expect.poll(score).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Drop the connection' }).click()
    await log.getByText('connection: reconnecting').first().waitFor()
    await expect.poll(() => page.locator('[data-test=status]').textContent()).toBe('connected')
    await page.getByRole('button', { name: 'Pay 5 KAS' }).click()
    await expect.poll(() => page.locator('[data-test=balance]').textContent()).toBe('1005 KAS')
    await page.getByRole('button', { name: 'Reorg of 3 blocks' }).click()
    await log.getByText('reverted').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(await contentWidth(page)).toBeLessThanOrEqual(width)
    await page.screenshot({ path: `test-results/site-${theme}-${width}.png` })
    expect(problems).toEqual([])
    await page.close()
  })

  it.each(['/getting-started.html', '/transactions.html', '/composables/useBalance.html', '/api/'])(
    'shows %s without violations',
    async (path) => {
      const { page, problems } = await site.visit(path, width, theme)
      await page.locator('main h1').first().waitFor()
      expect(await violations(page)).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    },
  )
})

it('finds a page by its text', async () => {
  const { page } = await site.visit('/')
  await page.locator('.live-log li').first().waitFor() // the page is hydrated
  await page.keyboard.press('Control+KeyK')
  await page.getByPlaceholder('Search').fill('replace-by-fee')
  await page.locator('.results a').first().waitFor()
  expect(await page.locator('.results').innerText()).toContain('Transactions')
  await page.close()
})

it('has each page as Markdown, and an index for language models', async () => {
  expect(await (await fetch(`${site.origin}/llms.txt`)).text()).toContain('/transactions.md')
  expect(await (await fetch(`${site.origin}/transactions.md`)).text()).toContain('# Transactions')
})

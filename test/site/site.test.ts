import { describe, expect, it } from 'vitest'
import { violations } from '../e2e/axe.js'
import { serveSite, THEMES, WIDTHS } from './site.js'

const site = serveSite()

const views = WIDTHS.flatMap((width) => THEMES.map((theme) => [width, theme] as const))

describe.each(views)('the site at %i pixels in %s', (width, theme) => {
  it.each(['/', '/getting-started.html', '/transactions.html', '/composables/useBalance.html', '/api/'])(
    'shows %s without violations',
    async (path) => {
      const { page, problems } = await site.visit(path, width, theme)
      await page.getByRole('main').locator('h1').first().waitFor()
      expect(await violations(page)).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    },
  )
})

it('finds a page by its text', async () => {
  const { page } = await site.visit('/')
  await page.getByTestId('status').getByText('connected', { exact: true }).waitFor() // the page is hydrated
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

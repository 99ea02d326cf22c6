import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violations } from '../e2e/axe.js'
import { LAUNCH_OPTIONS } from '../e2e/browser.js'

/** Written by `npm run docs:build`. */
const SITE = resolve(import.meta.dirname, '../../.cache/site')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.md': 'text/plain',
  '.txt': 'text/plain',
  '.woff2': 'font/woff2',
}

let server: Server
let browser: Browser
let origin: string

beforeAll(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const path = join(SITE, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    readFile(path).then(
      (body) =>
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await chromium.launch(LAUNCH_OPTIONS)
})

afterAll(async () => {
  await browser.close()
  server.close()
})

/** A page with its problems: messages of the console, exceptions, and requests to other hosts. */
async function visit(
  path: string,
  width: number,
  theme: 'light' | 'dark',
): Promise<{ page: Page; problems: string[] }> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: 'reduce' })
  const problems: string[] = []
  page.on('console', (message) => /error|warning/.test(message.type()) && problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) problems.push(request.url())
  })
  await page.goto(origin + path)
  return { page, problems }
}

describe.each([
  [360, 'light'],
  [1280, 'dark'],
] as const)('the site at %i pixels in %s', (width, theme) => {
  it('shows a live network on its start page that survives faults', async () => {
    const { page, problems } = await visit('/', width, theme)
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
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await page.screenshot({ path: `test-results/site-${theme}-${width}.png` })
    expect(problems).toEqual([])
    await page.close()
  })

  it.each(['/getting-started.html', '/transactions.html', '/composables/useBalance.html', '/api/'])(
    'shows %s without violations',
    async (path) => {
      const { page, problems } = await visit(path, width, theme)
      await page.locator('main h1').first().waitFor()
      expect(await violations(page)).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    },
  )
})

it('finds a page by its text', async () => {
  const { page } = await visit('/', 1280, 'light')
  await page.locator('.live-log li').first().waitFor() // the page is hydrated
  await page.keyboard.press('Control+KeyK')
  await page.getByPlaceholder('Search').fill('replace-by-fee')
  await page.locator('.results a').first().waitFor()
  expect(await page.locator('.results').innerText()).toContain('Transactions')
  await page.close()
})

it('has each page as Markdown, and an index for language models', async () => {
  expect(await (await fetch(`${origin}/llms.txt`)).text()).toContain('/transactions.md')
  expect(await (await fetch(`${origin}/transactions.md`)).text()).toContain('# Transactions')
})

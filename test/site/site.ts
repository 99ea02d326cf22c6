import { createServer, type Server } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { chromium, selectors, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { LAUNCH_OPTIONS } from '../e2e/browser.js'
import { watchContext } from '../e2e/page-events.js'

/** Written by `npm run docs:build`. */
export const SITE = resolve(import.meta.dirname, '../../.cache/site')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.md': 'text/plain',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.woff2': 'font/woff2',
}

/** Widths in CSS pixels, and themes, in which pages are visited. */
export const WIDTHS = [360, 1280] as const
export const THEMES = ['light', 'dark'] as const

export interface Visit {
  readonly page: Page
  /** Messages of the console, exceptions, and requests to other hosts. */
  readonly problems: readonly string[]
}

/** The built site in a browser. */
export interface ServedSite {
  readonly origin: string
  visit(path: string, width?: number, theme?: (typeof THEMES)[number]): Promise<Visit>
}

/** Serves the built site during the tests of a file, and opens its pages in Chromium. */
export function serveSite(): ServedSite {
  let origin = ''
  let stop: () => Promise<void>
  let open: ServedSite['visit']
  beforeAll(async () => {
    selectors.setTestIdAttribute('data-test')
    const server = await listen()
    const browser = (await chromium.launch(LAUNCH_OPTIONS)).on('context', watchContext)
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    open = async (path, width = 1280, theme = 'light') => {
      const viewport = { width, height: 900 }
      const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: 'reduce' })
      const problems = watchProblems(page, origin)
      await page.goto(origin + path)
      return { page, problems }
    }
    stop = async () => {
      await browser.close()
      server.close()
    }
  })
  afterAll(() => stop())
  return {
    get origin() {
      return origin
    },
    visit: (...request) => open(...request),
  }
}

async function listen(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    const path = join(SITE, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    readFile(path).then(
      (body) =>
        response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(body),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return server
}

function watchProblems(page: Page, origin: string): readonly string[] {
  const problems: string[] = []
  page.on('console', (message) => /error|warning/.test(message.type()) && problems.push(message.text()))
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('websocket', (socket) => problems.push(socket.url()))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(origin) && !/^(data|blob):/.test(url)) problems.push(url)
  })
  return problems
}

/** The width of the page's content, in CSS pixels. */
export const contentWidth = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth)

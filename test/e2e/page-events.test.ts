import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { launch } from './browser.js'
import { watchContext } from './page-events.js'

let browser: Browser
let server: Server
let url: string
/** The response to the page's script, which the server leaves open. */
let script: Promise<ServerResponse>

beforeEach(async () => {
  let requested: (response: ServerResponse) => void
  script = new Promise((resolve) => (requested = resolve))
  server = createServer(({ url: path }, response) => {
    if (path === '/script.js') requested(response)
    else response.setHeader('content-type', 'text/html').end(path === '/' ? '<script src="/script.js"></script>' : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await launch()
})
afterEach(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
})

/** Opens the page in a context whose pages may stand still for so long, ms. */
async function open(still: number) {
  const context = await browser.newContext()
  watchContext(context, still)
  const page = await context.newPage()
  return { page, loading: page.goto(url) }
}

it('ends a page that stands still while it loads, with what it did last', async () => {
  const { loading } = await open(1_500)
  await expect(loading).rejects.toThrow(/loads without an event for 1\.5 s[^]+request GET \S+\/script\.js/)
})

it('waits for a page as long as its load makes progress', async () => {
  const { page, loading } = await open(60_000)
  const response = await script
  response.setHeader('content-type', 'text/javascript')
  response.end('document.title = "late"')
  await loading
  expect(await page.title()).toBe('late')
})

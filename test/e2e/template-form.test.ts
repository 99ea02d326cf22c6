import vue from '@vitejs/plugin-vue'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launch } from './browser.js'

const ROOT = resolve(import.meta.dirname, '../..')
const FORM = resolve(ROOT, 'create/templates/_shared/vue/_sources/components/SendPayment.vue')

/** An app of the form alone, as the templates `vue` and `nuxt` have it. */
const app = (render: string): string => `
import { createSSRApp } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { VueChain } from 'vue-chain'
import SendPayment from ${JSON.stringify(FORM)}
const app = createSSRApp(SendPayment, { account: null, recipient: 'kaspasim:recipient' })
app.use(VueChain, { network: 'simnet', autoConnect: false })
${render}
`

let folder: string
let browser: Browser
let server: Server
let url: string
/** Once the page has requested its script: sends it. */
let script: Promise<() => void>
const requested: string[] = []

/** Bundles the app; resolves to the path of its file. */
async function bundle(name: string, render: string, isServer: boolean): Promise<string> {
  const entry = join(folder, `${name}-entry.js`)
  writeFileSync(entry, app(render))
  await build({
    configFile: false,
    logLevel: 'error',
    root: folder,
    plugins: [vue()],
    resolve: { alias: [{ find: /^vue-chain$/, replacement: resolve(ROOT, 'src/index.ts') }] },
    define: { __VUE_CHAIN_WASM__: 'false' },
    build: {
      ssr: isServer,
      outDir: join(folder, name),
      rolldownOptions: { input: entry, output: { entryFileNames: 'page.mjs' } },
    },
  })
  return join(folder, name, 'page.mjs')
}

beforeAll(async () => {
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  folder = mkdtempSync(join(ROOT, '.cache/template-form-')) // where the packages are found
  const rendered = await bundle('server', 'export const html = await renderToString(app)', true)
  const { html } = (await import(pathToFileURL(rendered).href)) as { readonly html: string }
  await bundle('client', "app.mount('#app')", false)
  let request: (send: () => void) => void
  script = new Promise((done) => (request = done))
  server = createServer(({ method = '', url: path = '' }, response) => {
    requested.push(`${method} ${path}`)
    const sendScript = (): void => {
      response.setHeader('content-type', 'text/javascript').end(readFileSync(join(folder, 'client', path)))
    }
    if (path === '/page.mjs') request(sendScript)
    else if (path.endsWith('.js')) sendScript()
    else {
      const page = `<!doctype html><link rel="icon" href="data:,"><div id="app">${html}</div><script type="module" src="/page.mjs"></script>`
      response.setHeader('content-type', 'text/html').end(page)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await launch()
})

afterAll(async () => {
  await browser.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

it('cannot be submitted before it is hydrated, and puts nothing into the address', async () => {
  const page = await browser.newPage()
  await page.goto(url, { waitUntil: 'commit' })
  const button = page.getByRole('button', { name: 'Pay' })
  await button.waitFor()
  const sendScript = await script
  expect(await button.isDisabled()).toBe(true)
  expect(await page.locator('form').getAttribute('method')).toBe('post')
  const amount = page.locator('[name=amount]')
  await amount.fill('12.5')
  await amount.press('Enter') // would submit the form by its button
  expect(requested).toEqual(['GET /', 'GET /page.mjs'])

  sendScript()
  await expect.poll(() => button.isEnabled()).toBe(true)
  await amount.press('Enter')
  await page.getByRole('alert').waitFor() // there is no account to pay from
  expect(page.url()).toBe(url)
  expect(requested.filter((one) => !/^GET \/[\w./-]*$/.test(one))).toEqual([])
  await page.close()
})

import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {} from '../e2e/wallet-harness.js'
import { launch, readFakeWallets, takeScreenshot } from '../e2e/browser.js'
import { FULL } from '../full.js'
import { ALL, isChosen } from './support/chosen.js'
import { readColor, readTexts } from './support/contrast.js'
import { installedIn } from './support/installed.js'
import { run } from './support/process.js'
import { serveFolder } from './support/serve-folder.js'

/** `<ConnectWallet>` with `vue-chain/style.css` in built pages without CSS of their own. */

interface StyledPage {
  readonly app: string
  readonly title: string
  /** Builds the page into `styled/dist`; none for a link to the file. */
  readonly build: readonly string[] | null
}

const vite = (version: number): StyledPage => ({
  app: `vite${version}`,
  title: `Vite ${version}`,
  build: ['node_modules/vite/bin/vite.js', 'build', 'styled'],
})

const PAGES: readonly StyledPage[] = [
  vite(8),
  vite(7),
  { app: 'webpack', title: 'webpack 5', build: ['node_modules/webpack-cli/bin/cli.js', '-c', 'styled.config.js'] },
  { app: 'vite8', title: 'Vue without a bundler', build: null },
]

/** How a page chooses its scheme, and which one results for a user who prefers light or dark. */
const SCHEMES = [
  { page: 'no CSS', html: '', light: 'light', dark: 'light' },
  { page: 'a meta element', html: '<meta name="color-scheme" content="light dark">', light: 'light', dark: 'dark' },
  {
    page: 'color-scheme: light dark',
    html: '<style>:root{color-scheme:light dark}</style>',
    light: 'light',
    dark: 'dark',
  },
  { page: 'color-scheme: dark alone', html: '<style>:root{color-scheme:dark}</style>', light: 'dark', dark: 'dark' },
  {
    page: 'data-theme dark',
    html: '<script>document.documentElement.dataset.theme="dark"</script>',
    light: 'dark',
    dark: 'dark',
  },
  {
    page: 'data-theme light over color-scheme: dark',
    html: '<style>:root{color-scheme:dark}</style><script>document.documentElement.dataset.theme="light"</script>',
    light: 'light',
    dark: 'light',
  },
] as const

const CANVAS = { light: [255, 255, 255, 255], dark: [18, 18, 18, 255] } as const

let browser: Browser
beforeAll(async () => {
  browser = await launch()
})
afterAll(() => browser.close())

/** Builds the page, and returns the folder to serve. */
async function buildIn(folder: string, build: readonly string[] | null): Promise<string> {
  const target = join(folder, 'styled/dist')
  if (build !== null) await run(process.execPath, build, { cwd: folder, env: { NODE_ENV: 'production' } })
  if (build?.includes('-c')) {
    const tags = '<!doctype html><link rel="icon" href="data:," /><link rel="stylesheet" href="main.css" />'
    writeFileSync(
      join(target, 'index.html'),
      `${tags}<div id="app"></div><script type="module" src="main.js"></script>`,
    )
  }
  return build === null ? linkIn(folder) : target
}

/** A page that links the package's file, and imports the library by an import map. */
function linkIn(folder: string): string {
  const target = join(folder, 'styled/link')
  mkdirSync(target, { recursive: true })
  cpSync(join(folder, 'node_modules/vue-chain/dist'), join(target, 'vue-chain'), { recursive: true })
  cpSync(join(folder, 'node_modules/vue/dist/vue.runtime.esm-browser.prod.js'), join(target, 'vue.js'))
  writeFileSync(
    join(target, 'index.html'),
    `<!doctype html>
<link rel="icon" href="data:," />
<link rel="stylesheet" href="vue-chain/style.css" />
<script type="importmap">{ "imports": { "vue": "./vue.js", "vue-chain": "./vue-chain/browser.js" } }</script>
<div id="app"></div>
<script type="module">
  import { createApp, h } from 'vue'
  import { ConnectWallet, VueChain } from 'vue-chain'
  createApp({ render: () => h(ConnectWallet) }).use(VueChain, { network: 'mainnet', autoConnect: false }).mount('#app')
</script>`,
  )
  return target
}

/** One page for all cases: a page of its own would be a process more. A fake KasWare is on testnet. */
interface CasePage {
  readonly page: Page
  /** Loads the page with `html` in front of its content, for a user who prefers a scheme, and with empty storage. */
  load(html: string, colorScheme: 'light' | 'dark'): Promise<void>
}

async function openCases(url: string): Promise<CasePage> {
  let added = ''
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(readFakeWallets())
  await page.addInitScript(() => {
    for (const storage of [localStorage, sessionStorage]) storage.clear()
    const wallet = window.fakeWallets.createFakeWalletA({ memory: 'none', state: { network: 'testnet-10' } })
    wallet.install()
    window.a = wallet
  })
  await page.route(url, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('<div id="app">', `${added}<div id="app">`) })
  })
  return {
    page,
    async load(html, colorScheme) {
      added = html
      await page.emulateMedia({ colorScheme })
      await page.goto(url)
    },
  }
}

/** Every text has its contrast, on an opaque background of the expected scheme. */
async function expectReadable(page: Page, selector: string, scheme: 'light' | 'dark'): Promise<void> {
  const texts = await readTexts(page, selector)
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter(({ background }) => background[3] !== 255)).toEqual([])
  expect(texts.filter(({ contrast }) => contrast < 4.5)).toEqual([])
  if (selector !== 'dialog') return
  expect(await readColor(page, selector, 'background-color')).toEqual(CANVAS[scheme])
}

describe.each(PAGES.filter(({ app }) => isChosen(app)))('$title', ({ app, title, build }) => {
  const folder = installedIn(app) ?? ''
  let served: { url: string; stop: () => void } | undefined
  let opened: CasePage | undefined
  beforeAll(async () => {
    if (folder === '') return
    served = await serveFolder(await buildIn(folder, build))
    opened = await openCases(served.url)
  })
  afterAll(async () => {
    await opened?.page.close()
    served?.stop()
  })

  // A link is to the file that Vite builds into its page: in `npm test` it has the page without CSS only.
  const schemes = build !== null || ALL || FULL ? SCHEMES : SCHEMES.slice(0, 1)
  const cases = schemes.flatMap(({ page, html, light, dark }) => [
    { page, html, preference: 'light', scheme: light } as const,
    { page, html, preference: 'dark', scheme: dark } as const,
  ])
  it.skipIf(folder === '').each(cases)(
    'shows readable wallet parts in light and dark, without CSS of the page: $page, for a user who prefers $preference',
    async ({ page: name, html, preference, scheme }) => {
      const { page, load } = opened!
      await load(html, preference)
      const picture = `style-${title}-${name}-${preference}`.replaceAll(/\W+/g, '-')
      await page.locator('.vc-trigger').click()
      await page.locator('button.vc-option').first().waitFor()
      await expectReadable(page, '.vc-trigger', scheme)
      await expectReadable(page, 'dialog', scheme)
      await takeScreenshot(page, `${picture}-wallets`)
      await page.evaluate(() => window.a.prompts.respondWith('reject'))
      await page.locator('button.vc-option').first().click()
      await page.locator('.vc-information').waitFor()
      await expectReadable(page, 'dialog', scheme)
      await page.evaluate(() => window.a.failNext('requestAccounts', 'x'))
      await page.locator('button.vc-option').first().click()
      await page.locator('.vc-problem').waitFor()
      await expectReadable(page, 'dialog', scheme)
      await page.evaluate(() => window.a.prompts.respondWith('approve'))
      await page.locator('button.vc-option').first().click()
      await page.locator('.vc-warning').waitFor()
      await expectReadable(page, 'dialog', scheme)
      await takeScreenshot(page, `${picture}-account`)
    },
  )
})

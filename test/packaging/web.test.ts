import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import { scriptsWithDevelopment } from './support/development-parts.js'
import { installedIn } from './support/installed.js'
import { expectLiveAndPaid, openFixture, paymentQuery } from './support/paying-page.js'
import { freePort } from '../free-port.js'
import { run, serve } from './support/process.js'
import { serveFolder } from './support/serve-folder.js'
import { ALL, isChosen } from './support/chosen.js'

/** A toolchain for pages. Commands are arguments of Node. */
interface Toolchain {
  readonly app: string
  readonly title: string
  /** Builds the page into `dist`. */
  readonly build: readonly string[]
  /** Files that its documentation says to copy into `dist`: from, to. */
  readonly copy?: Readonly<Record<string, string>>
  /** Starts a development server on `PORT`. */
  readonly dev?: readonly string[]
}

const vite = (version: number): Toolchain => ({
  app: `vite${version}`,
  title: `Vite ${version}`,
  build: ['node_modules/vite/bin/vite.js', 'build'],
  dev: ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--strictPort', '--port', 'PORT'],
})

const HTML = { 'index.html': 'index.html' }
const WASM = { 'node_modules/vue-chain/dist/sdk/kaspa_bg.wasm': 'kaspa_bg.wasm' }
const PARCEL = ['node_modules/parcel/lib/bin.js']
const DEFINE = [
  '--define:process.env.NODE_ENV="production"',
  '--define:__VUE_OPTIONS_API__=false',
  '--define:__VUE_PROD_DEVTOOLS__=false',
  '--define:__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false',
]

const TOOLCHAINS: readonly Toolchain[] = [
  vite(8),
  vite(7),
  vite(6),
  {
    app: 'esbuild',
    title: 'esbuild',
    build: [
      'node_modules/esbuild/bin/esbuild',
      'main.js',
      '--bundle',
      '--splitting',
      '--format=esm',
      '--minify',
      '--outdir=dist',
      ...DEFINE,
    ],
    copy: { ...HTML, ...WASM },
  },
  { app: 'webpack', title: 'webpack 5', build: ['node_modules/webpack-cli/bin/cli.js'], copy: HTML },
  { app: 'rspack', title: 'Rspack 2', build: ['build.js'], copy: HTML },
  {
    app: 'parcel',
    title: 'Parcel 2',
    build: [...PARCEL, 'build', 'index.html', '--no-autoinstall'],
    dev: [...PARCEL, 'serve', 'index.html', '--no-autoinstall', '--host', '127.0.0.1', '--port', 'PORT'],
  },
  {
    app: 'rollup',
    title: 'Rollup 4',
    build: ['node_modules/rollup/dist/bin/rollup', '-c'],
    copy: { ...HTML, ...WASM },
  },
]

let browser: Browser
let devnode: Devnode
let payments = 0

beforeAll(async () => {
  const chosen = TOOLCHAINS.filter(({ app }) => isChosen(app)).length
  ;[browser, devnode] = await Promise.all([launch(), createDevnode({ accounts: Math.max(4 * chosen, 2) })])
})
afterAll(() => Promise.all([browser.close(), devnode.close()]))

/** Opens the page with a node and accounts of its own: live, paid, and without a problem. */
async function expectToWork(url: string): Promise<void> {
  const query = `node=${encodeURIComponent(devnode.urls.borsh)}&${paymentQuery(devnode, payments++)}`
  const opened = await openFixture(browser, `${url}?${query}`)
  await expectLiveAndPaid(opened)
  expect(opened.problems).toEqual([])
  await opened.page.close()
}

describe.each(TOOLCHAINS.filter(({ app }) => isChosen(app)))('$title', ({ app, build, copy = {}, dev }) => {
  const folder = installedIn(app) ?? ''

  it.skipIf(folder === '')('builds a page that is live and pays', async () => {
    await run(process.execPath, build, { cwd: folder, env: { NODE_ENV: 'production' } })
    expect(scriptsWithDevelopment(folder, join(folder, 'dist'))).toEqual([])
    mkdirSync(join(folder, 'dist'), { recursive: true })
    for (const [from, to] of Object.entries(copy)) copyFileSync(join(folder, from), join(folder, 'dist', to))
    const { url, stop } = await serveFolder(join(folder, 'dist'))
    await expectToWork(url)
    stop()
  })

  if (!ALL || dev === undefined) return
  it('serves a page in development that is live and pays', async () => {
    const port = String(await freePort())
    const command = dev.map((part) => (part === 'PORT' ? port : part))
    const url = `http://127.0.0.1:${port}/`
    const server = await serve(process.execPath, command, { cwd: folder }, url)
    try {
      await expectToWork(url)
    } finally {
      await server.stop()
    }
  })
})

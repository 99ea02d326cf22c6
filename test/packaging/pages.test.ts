import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import { installedIn } from './support/installed.js'
import { expectLiveAndPaid, openFixture, paymentQuery, type FixturePage } from './support/paying-page.js'
import { run } from './support/process.js'
import { serveFolder } from './support/serve-folder.js'

const BASE = '/sub/'
/** No inline script or style, no eval, no other origin, and no HTML from strings but by Vue's own policy. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "connect-src 'self' ws://127.0.0.1:*",
  "style-src 'self'",
  'img-src data:',
  "require-trusted-types-for 'script'",
  'trusted-types vue',
].join('; ')

const folder = installedIn('pages') ?? ''
let browser: Browser
let devnode: Devnode
let payments = 0
const servers: { stop: () => void }[] = []

/** Opens a page of a folder that pays from accounts of its own. */
async function open(root: string, path: string, base = '/', headers = {}): Promise<FixturePage> {
  const server = await serveFolder(join(folder, root), base, headers)
  servers.push(server)
  const query = `node=${encodeURIComponent(devnode.urls.borsh)}&${paymentQuery(devnode, payments++)}`
  return openFixture(browser, `${server.url}${path}?${query}`)
}

async function expectToWork(opened: FixturePage): Promise<void> {
  await expectLiveAndPaid(opened)
  expect(opened.problems).toEqual([])
  await opened.page.close()
}

describe.skipIf(folder === '')('Pages in Chromium', () => {
  beforeAll(async () => {
    ;[browser, devnode] = await Promise.all([launch(), createDevnode({ accounts: 16 })])
  })
  afterAll(async () => {
    for (const { stop } of servers) stop()
    await Promise.all([browser.close(), devnode.close()])
  })

  it('without a bundler, by an import map of two entries', async () => {
    await expectToWork(await open('.', 'import-map.html'))
  })

  it('a classic script (IIFE) with `wasmUrl`', async () => {
    const command = ['node_modules/esbuild/bin/esbuild', 'iife.js', '--bundle', '--format=iife', '--minify']
    await run(process.execPath, [...command, '--outfile=iife/main.js', '--define:process.env.NODE_ENV="production"'], {
      cwd: folder,
    })
    mkdirSync(join(folder, 'iife/files'), { recursive: true })
    copyFileSync(join(folder, 'iife.html'), join(folder, 'iife/index.html'))
    copyFileSync(
      join(folder, 'node_modules/vue-chain/dist/sdk/kaspa_bg.wasm'),
      join(folder, 'iife/files/kaspa.wasm'), // not where it is expected without the option
    )
    await expectToWork(await open('iife', ''))
  })

  describe('built by Vite below a base URL', () => {
    beforeAll(() => run(process.execPath, ['node_modules/vite/bin/vite.js', 'build'], { cwd: folder }))

    it('under a strict Content-Security-Policy with trusted types', async () => {
      await expectToWork(await open('dist', '', BASE, { 'content-security-policy': POLICY }))
    })

    it('with the engine in a module worker', async () => {
      const { page, problems } = await open('dist', 'worker.html', BASE)
      await expect.poll(() => page.textContent('#status')).toBe('live and paid')
      expect(problems).toEqual([])
      await page.close()
    })

    it('started offline, and live once the page is online', async () => {
      const opened = await open('dist', 'offline.html', BASE)
      const { page } = opened
      await page.waitForFunction('navigator.serviceWorker.controller !== null')
      await page.reload() // all files come through the service worker
      await page.waitForSelector('#pay:enabled')
      await page.context().setOffline(true)
      let failed = 0
      page.on('websocket', (socket) => socket.on('socketerror', () => failed++))
      await page.reload()
      await page.waitForSelector('#pay:disabled')
      await expect.poll(() => failed).toBeGreaterThan(0)
      expect(await page.textContent('#score')).toBe('0')
      await page.context().setOffline(false)
      await expectLiveAndPaid(opened)
      await page.close()
    })
  })
})

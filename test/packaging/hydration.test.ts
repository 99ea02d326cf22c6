import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import { installedIn } from './support/installed.js'
import { openFixture } from './support/paying-page.js'
import { run } from './support/process.js'
import { serveFolder } from './support/serve-folder.js'

const VITE = ['node_modules/vite/bin/vite.js', 'build', '--mode', 'development', '--logLevel', 'warn']

const folder = installedIn('hydration') ?? ''
let browser: Browser
let devnode: Devnode

/** Builds and renders the page with a package of Vue, with Vue's warnings of development; resolves to the folder. */
async function build(vue: string): Promise<string> {
  const options = { cwd: folder, env: { NODE_ENV: 'development', VUE: vue } }
  const output = join('dist', vue)
  await run(process.execPath, [...VITE, '--outDir', `${output}/public`], options)
  await run(process.execPath, [...VITE, '--outDir', `${output}/server`, '--ssr', 'render.js'], options)
  await run(process.execPath, [`${output}/server/render.js`, `${output}/public/index.html`], options)
  return join(folder, output, 'public')
}

describe.skipIf(folder === '').each([
  { title: 'Vue 3.5.0', vue: 'vue-3.5.0' },
  { title: 'Vue, the newest', vue: 'vue' },
])('$title', ({ vue }) => {
  beforeAll(async () => {
    ;[browser, devnode] = await Promise.all([launch(), createDevnode()])
  })
  afterAll(() => Promise.all([browser.close(), devnode.close()]))

  it('hydrates a server-rendered page without a warning while its connection is live', async () => {
    const output = await build(vue)
    const html = readFileSync(join(output, 'index.html'), 'utf8')
    expect(html).toContain('<p id="score">0</p>')

    const { url, stop } = await serveFolder(output)
    const { page, problems } = await openFixture(browser, `${url}?node=${encodeURIComponent(devnode.urls.borsh)}`)
    const score = async (): Promise<number> => Number(await page.textContent('#score'))
    await page.waitForSelector('body[data-before]')
    const before = Number(await page.getAttribute('body', 'data-before'))
    expect(before).toBeGreaterThan(0)
    await expect.poll(score).toBeGreaterThan(before)
    expect(await page.textContent('#state')).toBe('connected')
    expect(await page.textContent('#network')).toBe('simnet')
    expect(await page.textContent('#version')).toBe(versionOf(vue))
    expect(problems).toEqual([])
    await page.close()
    stop()
  })
})

const versionOf = (vue: string): string =>
  (JSON.parse(readFileSync(join(folder, 'node_modules', vue, 'package.json'), 'utf8')) as { version: string }).version

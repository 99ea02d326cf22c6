import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import { freePort } from '../free-port.js'
import { installedIn } from './support/installed.js'
import { expectLiveAndPaid, openFixture, paymentQuery } from './support/paying-page.js'
import { run, serve } from './support/process.js'

const PNPM = 'node_modules/pnpm/bin/pnpm.cjs'
const PROJECTS = ['.', 'page', 'payments']

const folder = installedIn('pnpm-workspace') ?? ''
const workspace = join(folder, 'workspace')
let browser: Browser
let devnode: Devnode

/** Installs all packages again: the library is packed for each run. */
async function install(): Promise<void> {
  for (const project of PROJECTS) rmSync(join(workspace, project, 'node_modules'), { recursive: true, force: true })
  cpSync(join(folder, 'paying-app.js'), join(workspace, 'payments/paying-app.js'))
  const args = ['install', '--ignore-scripts', '--no-frozen-lockfile']
  await run(process.execPath, [join(folder, PNPM), ...args], { cwd: workspace })
}

describe.skipIf(folder === '')('Vite 7 in a pnpm workspace', () => {
  beforeAll(async () => {
    ;[browser, devnode] = await Promise.all([launch(), createDevnode()])
    await install()
  })
  afterAll(() => Promise.all([browser.close(), devnode.close()]))

  it('serves a page in development that is live and pays, where the library comes by another package, with `wasmUrl`', async () => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}/`
    const args = ['node_modules/vite/bin/vite.js', '--host', '127.0.0.1', '--strictPort', '--port', port]
    const server = await serve(process.execPath, args, { cwd: join(workspace, 'page') }, url)
    try {
      const query = `node=${encodeURIComponent(devnode.urls.borsh)}&${paymentQuery(devnode, 0)}`
      const opened = await openFixture(browser, `${url}?${query}`)
      await expectLiveAndPaid(opened)
      expect(opened.problems).toEqual([])
      await opened.page.close()
    } finally {
      await server.stop()
    }
  })
})

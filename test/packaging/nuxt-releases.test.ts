import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import { freePort } from '../free-port.js'
import { isChosen } from './support/chosen.js'
import { FIXTURES } from './support/folder.js'
import { installedIn } from './support/installed.js'
import { expectLiveAndPaid, openFixture, paymentQuery } from './support/paying-page.js'
import { run, serve } from './support/process.js'

/** The lowest and the newest supported release, which needs a newer Node than the library does. */
const RELEASES = [
  { app: 'nuxt3', title: 'Nuxt 3.15', node: process.execPath },
  { app: 'nuxt4.5', title: 'Nuxt 4.5', node: 'node_modules/node-24/bin/node' },
].filter(({ app }) => isChosen(app))

let browser: Browser
let devnode: Devnode

describe.each(RELEASES)('$title', ({ app, node }) => {
  const folder = installedIn(app) ?? ''

  beforeAll(async () => {
    ;[browser, devnode] = await Promise.all([launch(), createDevnode()])
    cpSync(join(FIXTURES, 'nuxt/app'), join(folder, 'app'), { recursive: true })
    await run(node, ['node_modules/nuxt/bin/nuxt.mjs', 'build'], { cwd: folder })
  })
  afterAll(() => Promise.all([browser.close(), devnode.close()]))

  it('builds an app that hydrates without a warning, becomes live, and pays', async () => {
    const port = String(await freePort())
    const url = `http://127.0.0.1:${port}`
    const env = {
      HOST: '127.0.0.1',
      PORT: port,
      NUXT_PUBLIC_CHAIN_URL: devnode.urls.borsh,
      NUXT_PUBLIC_CHAIN_REST_URL: devnode.urls.rest,
    }
    const server = await serve(node, ['.output/server/index.mjs'], { cwd: folder, env }, url)
    try {
      const opened = await openFixture(browser, `${url}/?${paymentQuery(devnode, 0)}`)
      await opened.page.waitForSelector('body[data-ready]')
      await expectLiveAndPaid(opened)
      expect(await opened.page.textContent('#network')).toBe('kaspa-simnet') // of a REST query that the server renders
      expect(opened.problems).toEqual([])
      await opened.page.close()
    } finally {
      await server.stop()
    }
  })
})

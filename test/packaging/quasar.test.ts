import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launch } from '../e2e/browser.js'
import { isRequested } from './support/chosen.js'
import { scriptsWithDevelopment } from './support/development-parts.js'
import { installedIn } from './support/installed.js'
import { expectLiveAndPaid, openFixture, paymentQuery } from './support/paying-page.js'
import { run } from './support/process.js'
import { serveFolder } from './support/serve-folder.js'

/** Quasar's command needs a newer Node than the library does. */
const NODE = 'node_modules/node-24/bin/node'
const BUILD = ['node_modules/@quasar/app-vite/bin/quasar.js', 'build']

let browser: Browser
let devnode: Devnode

describe.runIf(isRequested('quasar'))('Quasar 2 (Vite)', () => {
  const folder = installedIn('quasar') ?? ''
  const output = join(folder, 'dist/spa')

  beforeAll(async () => {
    ;[browser, devnode] = await Promise.all([launch(), createDevnode()])
    await run(NODE, BUILD, { cwd: folder })
  })
  afterAll(() => Promise.all([browser.close(), devnode.close()]))

  it('builds a page that is live and pays', async () => {
    expect(scriptsWithDevelopment(folder, output)).toEqual([])
    const { url, stop } = await serveFolder(output)
    try {
      const node = encodeURIComponent(devnode.urls.borsh)
      const opened = await openFixture(browser, `${url}?node=${node}&${paymentQuery(devnode, 0)}`)
      await expectLiveAndPaid(opened)
      expect(opened.problems).toEqual([])
      await opened.page.close()
    } finally {
      stop()
    }
  })
})

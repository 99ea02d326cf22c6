import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { launchWithExtension } from '../e2e/browser.js'
import { EXTENSION_ORIGIN } from '../setup/built-extension.js'
import { installedIn } from './support/installed.js'
import { run } from './support/process.js'

/** One file: service workers of extensions have no `import()`. */
const ESBUILD = [
  ...['node_modules/esbuild/bin/esbuild', 'service-worker.js', '--bundle', '--format=esm'],
  ...['--define:__VUE_CHAIN_WASM__=false', '--outfile=extension/service-worker.js'],
]

const folder = installedIn('extension') ?? ''

describe.skipIf(folder === '')('Extension (Manifest V3)', () => {
  let devnode: Devnode
  let context: BrowserContext
  let profile: string
  beforeAll(async () => {
    devnode = await createDevnode({ origins: [EXTENSION_ORIGIN] })
    await run(process.execPath, ESBUILD, { cwd: folder })
    profile = mkdtempSync(join(tmpdir(), 'vue-chain-profile-'))
    context = await launchWithExtension(profile, join(folder, 'extension'))
  })
  afterAll(async () => {
    await Promise.all([context.close(), devnode.close()])
    rmSync(profile, { recursive: true, force: true })
  })

  it('has a service worker, built by esbuild with `vue-chain/light`, that is live and pays', async () => {
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    const output: string[] = []
    worker.on('console', (message) => output.push(message.text()))
    await expect.poll(() => worker.evaluate('typeof runService')).toBe('function')
    const [from, to] = [devnode.accounts[0]!, devnode.accounts[1]!]
    const payment = JSON.stringify([devnode.urls.borsh, from.privateKeyHex, from.address, to.address])
    await worker.evaluate(`runService(${payment})`)
    await expect.poll(() => output).toContainEqual(expect.stringMatching(/^live and paid: (accepted|confirmed)$/))
  })
})

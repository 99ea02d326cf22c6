import { resolve } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'
import { servePage } from '../setup/built-page.js'
import { LAUNCH_OPTIONS } from './browser.js'
import { WALLET_APP } from './wallet-app.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** WebSocket endpoint of the Chromium that all files share. */
    readonly chromium: string
    /** URL of the built `WALLET_APP`. */
    readonly walletApp: string
  }
}

/** A vitest globalSetup: builds library, demo and wallet app once and starts one Chromium for all files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfStale(resolve(import.meta.dirname, '../..'))
  const [server, app] = await Promise.all([chromium.launchServer(LAUNCH_OPTIONS), servePage(WALLET_APP)])
  project.provide('chromium', server.wsEndpoint())
  project.provide('walletApp', app.url)
  return async () => {
    app.close()
    await server.close()
  }
}

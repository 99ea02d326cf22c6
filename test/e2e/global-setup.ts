import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'
import { servePage } from '../setup/built-page.js'
import { WALLET_APP } from './wallet-app.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the built `WALLET_APP`. */
    readonly walletApp: string
  }
}

/** A vitest globalSetup: builds library, demo and wallet app once, for all files. */
export async function setup(project: TestProject): Promise<() => void> {
  await buildIfStale(resolve(import.meta.dirname, '../..'))
  const app = await servePage(WALLET_APP)
  project.provide('walletApp', app.url)
  return () => app.close()
}

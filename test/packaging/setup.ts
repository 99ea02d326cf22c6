import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { LAUNCH_OPTIONS } from '../e2e/browser.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the packed library. */
    readonly tarball: string
  }
}

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.cache/packaging')

/** A vitest globalSetup: packs the built library and starts one Chromium for all files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync(FOLDER, { recursive: true })
  const args = ['pack', '--json', '--pack-destination', FOLDER]
  const output = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const [packed] = JSON.parse(output) as { filename: string }[]
  project.provide('tarball', join(FOLDER, packed!.filename))
  const browser = await chromium.launchServer(LAUNCH_OPTIONS)
  project.provide('chromium', browser.wsEndpoint())
  return () => browser.close()
}

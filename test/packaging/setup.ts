import { mkdirSync, readdirSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../scripts/build-if-stale.mjs'
import { packLibrary } from '../packed-library.js'
import { ALL, isChosen } from './support/chosen.js'
import { FIXTURES, FOLDER, ROOT } from './support/folder.js'
import { installFixture } from './support/install.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folders of the installed fixtures by name. */
    readonly installed: Readonly<Record<string, string>>
    /** The packed library. */
    readonly tarball: string
  }
}

/** A vitest globalSetup: packs the library, built where it is stale, and installs the chosen fixtures. */
export async function setup(project: TestProject): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  await buildIfStale(ROOT, { page: false, types: true }) // browser tests may have built the library without types
  const tarball = packLibrary(FOLDER)
  project.provide('tarball', tarball)
  project.provide('installed', await installAll(tarball))
}

/** In `npm test` a fixture whose packages cannot be downloaded is left out: it says nothing about the library. */
async function installAll(tarball: string): Promise<Record<string, string>> {
  const installed: Record<string, string> = {}
  for (const app of readdirSync(FIXTURES).filter(isChosen)) {
    try {
      installed[app] = await installFixture(app, tarball)
    } catch (error) {
      if (ALL) throw error
      console.log(`── packaging: skips ${app}, whose packages could not be downloaded. ${String(error)}`)
    }
  }
  return installed
}

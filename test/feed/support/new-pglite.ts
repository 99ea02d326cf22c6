import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

const { version } = createRequire(import.meta.url)('../../../node_modules/@electric-sql/pglite/package.json') as {
  readonly version: string
}

/** The files of a new database, as PGlite makes them. */
const FILES = resolve(import.meta.dirname, `../../../.cache/pglite-${version}.tar`)

/**
 * A new database in memory. PGlite takes 4 s of processor time to make one, and 1 s to open its files, which are made
 * once for all tests.
 */
export async function createPglite(): Promise<PGlite> {
  if (!existsSync(FILES)) await makeFiles()
  return PGlite.create({ loadDataDir: new Blob([readFileSync(FILES)]) })
}

/** Makes the folder of a new database, for a program that opens it. */
export async function makePgliteFolder(dataDir: string): Promise<void> {
  if (!existsSync(FILES)) await makeFiles()
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  execFileSync('tar', ['-xf', FILES, '-C', dataDir])
}

/** Renamed when it is whole: other tests may make it at the same time. */
async function makeFiles(): Promise<void> {
  mkdirSync(dirname(FILES), { recursive: true })
  const database = await PGlite.create()
  const files = await database.dumpDataDir('none')
  await database.close()
  const made = join(mkdtempSync(`${FILES}-`), 'data.tar')
  writeFileSync(made, new Uint8Array(await files.arrayBuffer()))
  renameSync(made, FILES)
}

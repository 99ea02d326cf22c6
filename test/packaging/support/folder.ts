import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../../..')

/** The fixture apps; `shared` holds files of several. */
export const FIXTURES = join(ROOT, 'test/packaging/apps')

const hash = createHash('sha256').update(ROOT).digest('hex').slice(0, 8)

/**
 * Where the copies of the fixtures lie, with their packages, from one run to the next. Outside the project, whose
 * packages and tsconfig.json they would find otherwise. Each checkout has its own.
 */
export const FOLDER = join(tmpdir(), `vue-chain-packaging-${hash}`)

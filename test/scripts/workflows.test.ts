import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, '.github/workflows')
/** The path of actionlint: `go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7`. */
const { ACTIONLINT } = process.env

it.skipIf(ACTIONLINT === undefined)(
  'workflows are without a finding of actionlint (set ACTIONLINT to its path)',
  () => {
    const files = readdirSync(FOLDER).map((name) => join(FOLDER, name))
    expect(files.length).toBeGreaterThan(0)
    expect(execFileSync(ACTIONLINT!, ['-no-color', ...files], { encoding: 'utf8' })).toBe('')
  },
)

/** `node scripts/prune-types.mjs`: deletes declarations in dist/types that no entry point of package.json reaches. */
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const TYPES = join(ROOT, 'dist/types')
const SPECIFIER = /(?:from|import)\s*(?:\(\s*)?['"](\.[^'"]+)['"]/g

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
const entries = Object.values(manifest.exports).flatMap((entry) =>
  typeof entry === 'object' && entry.types?.startsWith('./dist/types/') ? [join(ROOT, entry.types)] : [],
)

/** Follows relative imports of a declaration file; adds each to `reached`. */
function visit(file, reached) {
  if (reached.has(file) || !existsSync(file)) return
  reached.add(file)
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(SPECIFIER))
    visit(resolve(dirname(file), specifier.replace(/\.js$/, '.d.ts')), reached)
}

/** Deletes the files of a folder that were not reached, and the folder if nothing remains. */
function prune(folder, reached) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) prune(path, reached)
    else if (!reached.has(path)) rmSync(path)
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

const reached = new Set()
for (const entry of entries) visit(entry, reached)
prune(TYPES, reached)

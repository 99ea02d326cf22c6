/**
 * `node scripts/build-node.mjs`: writes dist/node, the package's entries as Node loads them, by the condition `node`.
 * What an entry loads at once is in a few files instead of those of dist/modules, because each file that Node opens
 * takes 0.3 ms. What is loaded later is that of dist/chunks, which imports the files written here by `#…` names.
 */
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'
import { compact, ENTRIES_FOR_APPS, toFilesForNode } from './dist-layout.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
const OUT = join(DIST, 'node')
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const toFile = (path) => relative(DIST, path).replaceAll(sep, '/')

const toSpecifier = (path) => (path.startsWith('.') ? path : `./${path}`).replaceAll(sep, '/')

/** What the files of dist import: the files and the names. */
const imported = new Map(
  readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((file) => file.endsWith('.js') && !/^(node|browser|assets|sdk)\/|^(browser|fake-wallets)\.js$/.test(file))
    .map((file) => [file, importsIn(file)]),
)
const filesForNode = toFilesForNode((file) => imported.get(file).map(({ from }) => from))

/** The static imports of a file of dist from files of dist, those by `#…` names too. */
function importsIn(file) {
  return parseAst(readFileSync(join(DIST, file), 'utf8')).body.flatMap(({ source, specifiers = [] }) => {
    const from = source && fileOf(file, source.value)
    return from ? { from, names: specifiers.map((one) => (one.imported ?? one.local).name) } : []
  })
}

/** The file of dist that a specifier names for bundlers, undefined for a package. */
function fileOf(importer, specifier) {
  if (specifier.startsWith('.')) return toFile(resolve(DIST, dirname(importer), specifier))
  const [, node, name] = /^#(\w+)\/(.*)$/.exec(specifier) ?? []
  const target = manifest.imports[`#${node}/*`]?.default
  return target && toFile(join(ROOT, target.replace('*', name)))
}

/** The names of a file of dist/modules that files outside of its file for Node import. */
function namesFrom(file) {
  const isOutside = (importer) => filesForNode.get(importer) !== filesForNode.get(file)
  const names = [...imported].flatMap(([importer, imports]) =>
    isOutside(importer) ? imports.flatMap(({ from, names }) => (from === file ? names : [])) : [],
  )
  return [...new Set(names)]
}

/** The code that exports what others import of the files of dist/modules which become one. */
function exportsOf(node) {
  const exported = new Map()
  for (const [file, name] of filesForNode)
    for (const imported of name === node ? namesFrom(file) : []) {
      const other = exported.get(imported)
      if (other !== undefined) throw new Error(`${file} and ${other} both export ${imported}: rename one of them`)
      exported.set(imported, file)
    }
  return [...exported].map(([name, file]) => `export { ${name} } from ${JSON.stringify(join(DIST, file))}`).join('\n')
}

/** Throws where a joined file imports itself by others: what it computes while it loads would come too early. */
function refuseRings() {
  const importsOf = new Map([...nodes].map((node) => [node, new Set()]))
  for (const [file, imports] of imported)
    for (const { from } of imports) importsOf.get(filesForNode.get(file))?.add(filesForNode.get(from))
  for (const [node, others] of importsOf) {
    others.delete(node)
    for (const other of others) for (const next of importsOf.get(other) ?? []) others.add(next)
    if (others.has(node)) throw new Error(`dist/node/chunks/${node}.js would import itself by ${[...others].join()}`)
  }
}

/** Writes dist/node/`file`: `code`, joined with those files of dist/modules that become `node`. */
async function write(file, code, node) {
  const entry = join(DIST, 'entry')
  const app = await rolldown({
    input: { [file.replace(/\.js$/, '')]: entry },
    plugins: [
      {
        name: 'files-for-node',
        load: (id) => (id === entry ? code : null),
        resolveId(specifier, importer) {
          if (isAbsolute(specifier)) return specifier
          if (!specifier.startsWith('.')) return { id: specifier, external: true }
          const path = resolve(dirname(importer), specifier)
          const name = filesForNode.get(toFile(path))
          if (name !== undefined && name === node) return path
          const outside = name === undefined ? path : join(OUT, 'chunks', `${name}.js`)
          return { id: toSpecifier(relative(dirname(join(OUT, file)), outside)), external: true }
        },
      },
    ],
  })
  const { output } = await app.generate({ entryFileNames: '[name].js', minifyInternalExports: false })
  if (output.length > 1) throw new Error(`dist/node/${file} became ${output.length} files`)
  writeFileSync(join(OUT, file), compact(file, output[0].code))
  await app.close()
}

const nodes = new Set(filesForNode.values())
const missing = [...nodes].filter((node) => manifest.imports[`#${node}/*`]?.node !== `./dist/node/chunks/${node}.js`)
if (missing.length > 0) throw new Error(`package.json has no imports #…/* for dist/node/chunks of ${missing.join()}`)
refuseRings()
rmSync(OUT, { recursive: true, force: true })
mkdirSync(join(OUT, 'chunks'), { recursive: true })
for (const node of nodes) await write(`chunks/${node}.js`, exportsOf(node), node)
for (const file of ENTRIES_FOR_APPS) await write(file, readFileSync(join(DIST, file), 'utf8'))

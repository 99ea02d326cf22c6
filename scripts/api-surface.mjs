/**
 * `node scripts/api-surface.mjs`: writes the public surface of each entry point to test/contract/api, from the
 * declarations of the built package: what is exported, with its declaration without comments, then what is reached
 * through it without being exported. A change of the surface is a difference in these files; test/contract/api.test.ts
 * compares them.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '..')
const TYPES = join(ROOT, 'dist/types') + sep
const FOLDER = join(ROOT, 'test/contract/api')

const printer = ts.createPrinter({ removeComments: true })

/**
 * The files of the folder `test/contract/api` by name, and the errors of the compiler in the declarations. Needs
 * `npm run build`.
 */
export function describeSurface() {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const entries = Object.entries(exports).flatMap(([name, { types }]) =>
    types?.startsWith('./dist/types/') ? [{ name, file: resolve(ROOT, types) }] : [],
  )
  entries.sort(byImportance)
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { ...ts.getDefaultCompilerOptions(), module: ts.ModuleKind.NodeNext, strict: true, types: ['node'] },
  )
  const checker = program.getTypeChecker()
  /** By symbol: the entry whose file has its declaration. */
  const homes = new Map()
  const surfaces = entries.map(({ name, file }) => ({ name, symbols: exportsOf(file) }))
  for (const { name, symbols } of surfaces) {
    for (const symbol of symbols.values()) if (!homes.has(symbol)) homes.set(symbol, name)
  }
  const files = new Map(surfaces.map(({ name, symbols }) => [fileOf(name), toText(name, symbols)]))
  return { files, errors: errorsOf(program) }

  /** By exported name. */
  function exportsOf(file) {
    const symbol = checker.getSymbolAtLocation(program.getSourceFile(file))
    return new Map(checker.getExportsOfModule(symbol).map((one) => [one.name, resolved(one)]))
  }

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  }

  function toText(entry, symbols) {
    const names = [...symbols.keys()].toSorted(byCode)
    const declared = names.map((name) => {
      const home = homes.get(symbols.get(name))
      return home === entry ? declarationOf(name, symbols.get(name)) : `// ${name}: as in ${home}`
    })
    const hidden = reachedFrom(symbols.values())
      .filter((symbol) => !homes.has(symbol))
      .map(({ name, declarations: [first] }) => `${name} (${first.getSourceFile().fileName.slice(TYPES.length)})`)
      .toSorted(byCode)
    const rest =
      hidden.length === 0 ? [] : [['', `Reached and not exported: ${hidden.length}`, ...hidden].join('\n// ').trim()]
    return [...declared, ...rest].join('\n\n') + '\n'
  }

  /** The declaration as in the package; of a function with overloads, all of them. */
  function declarationOf(name, { declarations = [] }) {
    const texts = declarations.map((declaration) => {
      const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
      const text = printer.printNode(ts.EmitHint.Unspecified, node, declaration.getSourceFile())
      // rolled up, at the end of the file
      return name === 'default' || text.startsWith('export ') ? text : `export ${text}`
    })
    return `// ${name}\n${texts.join('\n')}`
  }

  /** All symbols of the package that the declarations of `symbols` name, directly or not. */
  function reachedFrom(symbols) {
    const reached = new Set(symbols)
    for (const { declarations = [] } of reached) {
      for (const declaration of declarations.filter(isOwn)) visit(declaration)
    }
    return [...reached]

    function visit(node) {
      const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined
      const target = symbol && resolved(symbol)
      if (
        target?.declarations?.some((declaration) => isOwn(declaration) && isTopLevel(declaration)) &&
        !isBrand(target)
      )
        reached.add(target)
      ts.forEachChild(node, visit)
    }
  }
}

/** Errors in the declarations of the package, with those that an app sees where it checks the types of libraries. */
const errorsOf = (program) =>
  program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(TYPES))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, messageText }) => `${file.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`)

/** Whether it is the key of a brand, a property that no app writes. */
const isBrand = ({ declarations: [first] }) => /: unique symbol$/.test(first.getText())

const isOwn = (declaration) => declaration.getSourceFile().fileName.startsWith(TYPES)

const isTopLevel = (declaration) =>
  ts.isSourceFile(ts.isVariableDeclaration(declaration) ? declaration.parent.parent.parent : declaration.parent)

/** The engine's entry first: others export parts of it again. */
const byImportance = ({ name }, other) => Number(other.name === './streams') - Number(name === './streams')

const fileOf = (entry) => `${entry === '.' ? 'vue-chain' : entry.slice(2).replaceAll('/', '-')}.api.txt`

const byCode = (one, other) => (one < other ? -1 : 1)

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { files: surface } = describeSurface() // it throws where the build is not whole: nothing is removed then
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const [file, text] of surface) writeFileSync(join(FOLDER, file), text)
}

import { rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'

const ROOT = resolve(import.meta.dirname, '..')
const CONFIG = join(ROOT, 'tsconfig.build.json')

/**
 * Writes the declarations that `entries`, paths below src/ without an ending, reach by their declarations into
 * .cache/types. Nothing is checked: as `tsc --noCheck`, which writes all files, in half the processor time.
 */
export function compileTypes(entries) {
  const { options, fileNames } = readConfig()
  rmSync(options.outDir, { recursive: true, force: true })
  const roots = entries.map((entry) => join(ROOT, 'src', `${entry}.ts`))
  const ambient = fileNames.filter((name) => name.endsWith('.d.ts'))
  const program = ts.createProgram([...roots, ...ambient], options)
  const reached = new Set(roots)
  for (const file of reached) for (const imported of importsOf(file, emit(program, file))) reached.add(imported)
}

function readConfig() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail }
  const config = ts.getParsedCommandLineOfConfigFile(CONFIG, { noCheck: true }, host)
  config.errors.forEach(fail)
  return config
}

function fail({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
}

/** Writes the declarations of a file, and returns them. */
function emit(program, file) {
  const source = program.getSourceFile(file)
  if (source === undefined) throw new Error(`The compiler does not know ${file}.`)
  let declarations = ''
  const { diagnostics } = program.emit(source, (path, text) => ts.sys.writeFile(path, (declarations = text)))
  diagnostics.forEach(fail)
  return declarations
}

/** The source files that the declarations of `file` import. */
const importsOf = (file, declarations) =>
  ts
    .preProcessFile(declarations)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
    .map(({ fileName }) => join(dirname(file), fileName.replace(/\.js$/, '.ts')))

import { join, relative } from 'node:path'
import ts from 'typescript'

const ROOT = join(import.meta.dirname, '../../..')

/** A property of options, of a result or of the engine. */
export interface MemberRow {
  readonly name: string
  /** The type as it is declared. */
  readonly type: string
  readonly isOptional: boolean
  /** The text of `@default`; undefined for none. */
  readonly fallback: string | undefined
  /** The docstring. */
  readonly text: string
}

/** Members under a heading: of one parameter, or of the result. */
export interface MemberTable {
  readonly name: string
  readonly rows: readonly MemberRow[]
}

/** A function, or a member of the engine, as its declaration says. */
export interface Described {
  readonly name: string
  readonly signature: string
  readonly text: string
  /** Parameters whose type is an object of this library. */
  readonly options: readonly MemberTable[]
  readonly results: readonly MemberRow[]
  /** Where it is declared, from the root of the repository. */
  readonly file: string
  readonly line: number
}

/** Reads declarations of the sources. */
export interface Declarations {
  /** A function that `vue-chain`, `vue-chain/streams`, `vue-chain/contracts/vue` or `vue-chain/requests` exports. */
  function(name: string): Described
  /** A member of `ChainEngine`. */
  engine(name: string): Described
}

const ENTRIES = [
  'src/index.ts',
  'src/streams/index.ts',
  'src/adapters/vue/contracts/index.ts',
  'src/adapters/vue/requests/index.ts',
]

/** Compiles the entry points once: about as long as the build of a page. */
export function readDeclarations(): Declarations {
  const files = ENTRIES.map((file) => join(ROOT, file))
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.build.json'), (path) => ts.sys.readFile(path))
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT)
  const program = ts.createProgram(files, { ...options, noEmit: true })
  const reader = createReader(program.getTypeChecker())
  // of a name that several entries export, any one: it is the same declaration
  const exported = new Map(files.flatMap((file) => [...reader.exportsOf(program.getSourceFile(file))]))
  const engine = reader.membersOf(named(exported, 'ChainEngine'))
  return {
    function: (name) => reader.describe(name, named(exported, name)),
    engine: (name) => reader.describe(name, named(engine, name)),
  }
}

type Symbols = ReadonlyMap<string, ts.Symbol>

function named(symbols: Symbols, name: string): ts.Symbol {
  const found = symbols.get(name)
  if (found === undefined) throw new Error(`The declarations have no ${name}.`)
  return found
}

function createReader(checker: ts.TypeChecker) {
  const resolved = (symbol: ts.Symbol): ts.Symbol =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

  /** By the name of the export. */
  const exportsOf = (file: ts.SourceFile | undefined): Symbols => {
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file)
    const symbols = module === undefined ? [] : checker.getExportsOfModule(module)
    return new Map(symbols.map((symbol) => [symbol.name, resolved(symbol)]))
  }

  const membersOf = (symbol: ts.Symbol): Symbols =>
    new Map(
      checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()
        .map((member) => [member.name, member]),
    )

  const docOf = (symbol: ts.Symbol): string => ts.displayPartsToString(symbol.getDocumentationComment(checker))

  function describe(name: string, symbol: ts.Symbol): Described {
    const declaration = declarationOf(symbol)
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration)
    const signatures = type.getCallSignatures()
    const { line } = declaration.getSourceFile().getLineAndCharacterOfPosition(declaration.getStart())
    return {
      name,
      signature: signatures.map((one) => signatureOf(name, one)).join('\n'),
      text: docOf(symbol),
      options: signatures.slice(-1).flatMap((one) => one.getParameters().flatMap(optionsOf)),
      results: rowsOf(signatures[0]?.getReturnType() ?? type),
      file: relative(ROOT, declaration.getSourceFile().fileName),
      line: line + 1,
    }
  }

  const signatureOf = (name: string, signature: ts.Signature): string => {
    const text = signature.declaration
    if (text === undefined || text.kind === ts.SyntaxKind.JSDocSignature)
      return name + checker.signatureToString(signature)
    const generics = (text.typeParameters ?? []).map((one) => one.getText()).join(', ')
    const parameters = text.parameters.map((one) => parameterText(one as ts.ParameterDeclaration))
    const result = text.type?.getText() ?? checker.typeToString(signature.getReturnType(), undefined, WHOLE)
    return oneLine(`${name}${generics === '' ? '' : `<${generics}>`}(${parameters.join(', ')}): ${result}`)
  }

  /** Without the default of a parameter, whose members have their own. */
  const parameterText = ({
    name,
    type,
    initializer,
    questionToken,
    dotDotDotToken,
  }: ts.ParameterDeclaration): string => {
    const isOptional = initializer !== undefined || questionToken !== undefined
    const text = ts.isIdentifier(name) ? name.text : 'options'
    return `${dotDotDotToken === undefined ? '' : '...'}${text}${isOptional ? '?' : ''}: ${type?.getText() ?? 'unknown'}`
  }

  function optionsOf(parameter: ts.Symbol): MemberTable[] {
    const declaration = parameter.valueDeclaration
    if (declaration === undefined) return []
    const type = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(parameter, declaration))
    const rows = rowsOf(type)
    const isIdentifier = ts.isParameter(declaration) && ts.isIdentifier(declaration.name)
    return rows.length === 0 ? [] : [{ name: isIdentifier ? parameter.name : 'options', rows }]
  }

  /** The members of an object type of this library; none for other types. */
  function rowsOf(type: ts.Type): readonly MemberRow[] {
    if (type.isUnion() || type.getCallSignatures().length > 0) return []
    const members = type.getProperties()
    return members.every(isOwn) ? members.map(rowOf) : []
  }

  const isOwn = ({ declarations = [] }: ts.Symbol): boolean =>
    declarations.length > 0 && declarations.every((one) => one.getSourceFile().fileName.startsWith(join(ROOT, 'src')))

  function rowOf(symbol: ts.Symbol): MemberRow {
    const declaration = declarationOf(symbol)
    const tags = symbol.getJsDocTags(checker)
    const fallback = tags.find(({ name }) => name === 'default')
    return {
      name: symbol.name,
      type: typeText(symbol, declaration),
      isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      fallback: fallback === undefined ? undefined : ts.displayPartsToString(fallback.text),
      text: docOf(symbol),
    }
  }

  function typeText(symbol: ts.Symbol, declaration: ts.Declaration): string {
    const isTyped = ts.isPropertySignature(declaration) && declaration.type !== undefined
    if (isTyped) return oneLine(declaration.type.getText()).replace(/ \| undefined$/, '')
    return checker.typeToString(checker.getTypeOfSymbolAtLocation(symbol, declaration), declaration, WHOLE)
  }

  return { exportsOf, membersOf, describe }
}

const WHOLE = ts.TypeFormatFlags.NoTruncation

function declarationOf({ name, valueDeclaration, declarations = [] }: ts.Symbol): ts.Declaration {
  const declaration = valueDeclaration ?? declarations[0]
  if (declaration === undefined) throw new Error(`${name} has no declaration.`)
  return declaration
}

const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/,? ([)\]])/g, '$1')
    .replace(/([([]) /g, '$1')

import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { invalidArgument, toChainError, ChainError } from '../errors/chain-error.js'
import type { RunSubcommand } from './run-cli.js'
import { contractNames, readProgram } from '../model/contracts/program.js'
import { readBytes } from '../model/contracts/artifact.js'
import { toHex } from '../model/hex.js'

const RESERVED =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|arguments|eval)$/

/**
 * `vue-chain contract`: 0 for an artifact that is valid, 1 for another one, 2 for a command line that cannot be read.
 */
export const runContract: RunSubcommand = async (args, context) => {
  try {
    const command = readCommandLine(args)
    if (command === null) {
      context.print(HELP)
      return 0
    }
    const text = contractModule(await readJson(command.file))
    if (command.out === undefined) context.print(text)
    else await writeModule(command.out, text)
    return 0
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    context.printError(`vue-chain contract: ${error.message}. ${error.hint ?? ''}`.trimEnd())
    return error.code === 'invalid-argument' ? 2 : 1
  }
}

const HELP = [
  'vue-chain contract FILE.json [--out FILE.ts]: checks the artifact of a contract, and writes it as a module with its literal types.',
  '',
  '  --out  the file to write; without it the module is printed',
  '',
  'An artifact is trusted code: it decides what a call does with the transaction that contains it.',
].join('\n')

interface CommandLine {
  readonly file: string
  readonly out: string | undefined
}

function readCommandLine(args: readonly string[]): CommandLine | null {
  const { help, out, file } = parse(args)
  if (help === true) return null
  if (file === undefined) throw invalidArgument('FILE.json', 'There is no file to read', 'See --help.')
  return { file, out }
}

function parse(args: readonly string[]): { readonly help?: boolean; readonly out?: string; readonly file?: string } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { help: { type: 'boolean', short: 'h' }, out: { type: 'string' } },
      allowPositionals: true,
    })
    const [file, ...others] = positionals
    if (others.length > 0) throw invalidArgument('FILE.json', 'There is more than one file', 'See --help.')
    return { ...values, ...(file !== undefined && { file }) }
  } catch (error) {
    if (error instanceof ChainError) throw error
    throw invalidArgument('flags', error instanceof Error ? error.message.replace(/\.$/, '') : 'A flag is unknown')
  }
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw toChainError(error, `${file} cannot be read as JSON (${error instanceof Error ? error.message : ''})`)
  }
}

async function writeModule(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, `${text}\n`)
  } catch (error) {
    throw toChainError(error, `${file} cannot be written (${error instanceof Error ? error.message : ''})`)
  }
}

/**
 * The module of an artifact: `export const counter = {…} as const`, bytecode and template hash as hex. Throws
 * `ChainError` (`invalid-artifact`) with the path where one of its contracts is not valid.
 */
function contractModule(artifact: unknown): string {
  const names = contractNames(artifact)
  const [first] = names.map((name) => readProgram(artifact, name).name)
  const shown = JSON.stringify(artifact, withHex, 2)
  const programs = names.map((name) => ` * ${name}: template ${readProgram(artifact, name).templateHash}`)
  return [
    '/**',
    ' * Written by `vue-chain contract`, for `defineContract`. An artifact is trusted code: compare the template hash with one that comes',
    ' * from the source.',
    ' *',
    ...programs,
    ' */',
    `export const ${constantName(first ?? 'contract')} = ${shown} as const`,
  ].join('\n')
}

const withHex = (key: string, value: unknown): unknown =>
  key === 'bytecode' || key === 'template_hash' ? toHex(readBytes(value, key)) : value

/** `Counter` becomes `counter`; names that JavaScript keeps for itself end with `Contract`. */
function constantName(name: string): string {
  const constant = name.charAt(0).toLowerCase() + name.slice(1)
  return RESERVED.test(constant) ? `${constant}Contract` : constant
}

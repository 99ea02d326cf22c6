import { contractNames, readProgram } from '../model/contracts/program.js'
import { readBytes } from '../model/contracts/read-json.js'
import { toHex } from '../model/hex.js'

/**
 * The module of an artifact: `export const counter = {…} as const`, bytecode and template hash as hex. Throws
 * `ChainError` (`invalid-artifact`) with the path where one of its contracts is not valid.
 */
export function contractModule(artifact: unknown): string {
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

const RESERVED =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|arguments|eval)$/

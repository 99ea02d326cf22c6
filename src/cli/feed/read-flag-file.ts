import { readFile } from 'node:fs/promises'
import { ChainError } from '../../errors/chain-error.js'

/** The text of a file that a flag names. Rejects with `ChainError` (`invalid-option`, `argument` the flag). */
export async function readFlagFile(flag: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    throw new ChainError(`The file "${path}" of --${flag} cannot be read: ${code}`, {
      code: 'invalid-option',
      argument: flag,
      details: '',
      hint: 'See --help.',
      cause,
    })
  }
}

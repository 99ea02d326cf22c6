import { ChainError } from '../errors/chain-error.js'
import { redact } from '../errors/redact.js'

/** The error of an invalid value, with the path of the option and its allowed values. */
export const invalidOption = (option: string, value: unknown, allowed: string): ChainError =>
  new ChainError(`Option "${option}" must be ${allowed}, not ${toText(value)}`, {
    code: 'invalid-option',
    argument: option,
    hint: `Set "${option}" to ${allowed}, or leave it out.`,
  })

/** The error of an unknown option: a misspelt one would be ignored. */
export const unknownOption = (option: string): ChainError =>
  new ChainError(`There is no option "${option}"`, {
    code: 'invalid-option',
    argument: option,
    hint: 'Check its spelling, or leave it out.',
  })

/** A value as text; objects, which may be large or secret, by their type only. */
function toText(value: unknown): string {
  if (typeof value === 'string') return `"${redact(value.replaceAll(' ', '%20')).slice(0, 100)}"`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : typeof value
}

import { ChainError } from '../errors/chain-error.js'

/** An option that cannot be meant: names it as the caller wrote it, and says what is allowed. */
export const invalidOption = (option: string, value: unknown, allowed: string): ChainError =>
  new ChainError(`Option "${option}" must be ${allowed}, not ${toText(value)}`, {
    code: 'invalid-option',
    argument: option,
    hint: `Set "${option}" to ${allowed}, or leave it out.`,
  })

/** A name that no option has: misspelt, it would leave the default in force unseen. */
export const unknownOption = (option: string): ChainError =>
  new ChainError(`There is no option "${option}"`, {
    code: 'invalid-option',
    argument: option,
    hint: 'Check its spelling, or leave it out.',
  })

/** A value as a reader would write it; what could be large or secret is named by its type alone. */
function toText(value: unknown): string {
  if (typeof value === 'string') return `"${withoutCredentials(value)}"`
  return typeof value === 'number' || typeof value === 'boolean' || value === null ? String(value) : typeof value
}

/** A URL may carry a name and a password: neither belongs into a message. */
const withoutCredentials = (text: string): string => text.slice(0, 100).replace(/\/\/[^/@]*@/, '//…@')

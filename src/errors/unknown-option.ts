import { invalidArgument } from './chain-error.js'

/** Throws `ChainError` (`invalid-argument`) for an option without meaning: a misspelt one would be ignored. */
export function refuseUnknown(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown === undefined) return
  throw invalidArgument(unknown, `There is no option "${unknown}"`, 'Check its spelling, or leave it out.')
}

import { invalidArgument } from '../errors/chain-error.js'

/** Ms from 100 on. Throws `ChainError` (`invalid-argument`). */
export function checkTime(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 100) return value
  throw invalidArgument(name, `"${name}" is no number of milliseconds from 100`)
}

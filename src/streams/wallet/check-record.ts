import { refuseArgument } from '../../errors/wallet-refusal.js'

/** An optional object argument. Callers without types pass anything. Throws `ChainWalletError`. */
export function checkRecord<T extends object>(operation: string, argument: string, value: T | undefined): Partial<T> {
  if (value === undefined) return {}
  if (typeof value === 'object' && (value as T | null) !== null) return value
  throw refuseArgument(operation, argument, new TypeError('Not an object'), 'Pass an object, or leave it out.')
}

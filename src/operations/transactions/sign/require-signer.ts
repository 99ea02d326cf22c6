import { invalidArgument } from '../../../errors/chain-error.js'
import type { TransactionSigner } from '../../../sdk/port.js'

/** Throws `ChainError` (`invalid-argument`) where it has no function `sign`. */
export function requireSigner(given: unknown): given is TransactionSigner {
  const signer = given as Partial<TransactionSigner> | null | undefined
  if (typeof signer?.sign === 'function') return true
  throw invalidArgument('signer', '"signer" must have a function "sign"')
}

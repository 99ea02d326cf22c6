import type { Operations } from '../machine.js'
import { ARITHMETIC } from './arithmetic.js'
import { BYTES } from './bytes.js'
import { CONTROL } from './control.js'
import { COVENANTS } from './covenants.js'
import { CRYPTO } from './crypto.js'
import { STACK } from './stack.js'
import { TRANSACTION } from './transaction.js'

/**
 * All opcodes but pushes and two that need what neither a page nor the simulated network has: `a6` verifies
 * zero-knowledge proofs, `d4` reads commitments of the chain.
 */
export const OPERATIONS: Operations = /*#__PURE__*/ (() => ({
  ...CONTROL,
  ...STACK,
  ...BYTES,
  ...ARITHMETIC,
  ...CRYPTO,
  ...TRANSACTION,
  ...COVENANTS,
}))()

import { createTransaction, type Transaction } from '../transaction.js'
import type { Pskt } from './records.js'

/** The sequence of an input that states none. */
export const NO_SEQUENCE: bigint = 2n ** 64n - 1n

/** The transaction that the signatures of a bundle sign, as the crate computes it; with the final signature scripts. */
export const psktTransaction = ({ global, inputs, outputs }: Pskt): Transaction =>
  createTransaction({
    version: global.txVersion,
    inputs: inputs.map(({ previousOutpoint, sequence, sigOpCount, finalScriptSig }) => ({
      previousOutpoint,
      signatureScript: finalScriptSig ?? '',
      sequence: sequence ?? NO_SEQUENCE,
      sigOpCount: sigOpCount ?? 0,
    })),
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({ value: amount, scriptPublicKey })),
    payload: global.version === 0 ? '' : (global.payload ?? ''),
  })

import { toHex } from '../model/hex.js'
import { runInput, type RunOptions } from './run-input.js'
import type { SpendingContext } from './spending.js'

/**
 * What the redeem script of an input hashes, in hex, in its order. A contract that checks its continuation builds the
 * redeem scripts of the next states and compares their hashes with the outputs.
 */
export function hashedScripts(context: SpendingContext, input: number, options: RunOptions = {}): readonly string[] {
  const hashed: string[] = []
  runInput(context, input, {
    ...options,
    onHash: (preimage, { script }) => {
      if (script === 'redeem') hashed.push(toHex(preimage))
    },
  })
  return hashed
}

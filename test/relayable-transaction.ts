import { createTransaction } from '../src/model/transaction.js'

/** The script of a public key. */
export const PAY_TO_PUBLIC_KEY = `20${'ef'.repeat(32)}ac`

/**
 * A transaction that nodes do not refuse by its form: whether its input exists and its signature is valid, the chain
 * decides.
 */
export const RELAYABLE = createTransaction({
  inputs: [
    {
      previousOutpoint: { transactionId: 'ab'.repeat(32), index: 0 },
      signatureScript: `41${'cd'.repeat(65)}`,
      sequence: 0n,
      sigOpCount: 1,
    },
  ],
  outputs: [{ value: 100_000_000n, scriptPublicKey: { version: 0, script: PAY_TO_PUBLIC_KEY } }],
})

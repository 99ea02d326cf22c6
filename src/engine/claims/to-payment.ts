import type { Claim } from '../../model/claims/claim.js'
import { unpackOutpoints } from '../../model/claims/packed-outpoints.js'
import type { TransactionOutput } from '../../model/transaction.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'

/** Stands for an output to a recipient, which a claim does not name: no address has this script. */
const UNKNOWN: TransactionOutput = { value: 0n, scriptPublicKey: { version: 0, script: '' } }

/** A claim as the payment that it is of, with its change only. */
export function toPayment({ id, outpoints, change }: Claim): UnconfirmedTransaction {
  const last = Math.max(-1, ...change.map(({ index }) => index))
  const byIndex = new Map(change.map((output) => [output.index, output]))
  return {
    id,
    inputs: unpackOutpoints(outpoints).map((outpoint) => ({ outpoint })),
    outputs: Array.from({ length: last + 1 }, (_, index) => {
      const output = byIndex.get(index)
      return output === undefined ? UNKNOWN : { value: output.value, scriptPublicKey: output.scriptPublicKey }
    }),
  }
}

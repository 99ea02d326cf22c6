import type { InsufficientFundsError } from '../../../errors/insufficient-funds.js'
import { spendsEntry, type UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import { toOutpointKey } from '../../../model/utxo.js'
import type { CheckedUtxos } from '../check-entries.js'
import { findEntries } from '../find-entries.js'

/** The unconfirmed transactions that spend some of the UTXOs, with the sums of those. */
export function reservedBy(
  utxos: CheckedUtxos,
  transactions: Iterable<UnconfirmedTransaction>,
): InsufficientFundsError['reservedBy'] {
  const all = [...transactions]
  const spent = findEntries(
    utxos,
    all.flatMap(({ inputs }) => inputs.map(({ outpoint }) => outpoint)),
  )
  return all.flatMap(({ id, inputs }) => {
    const amounts = inputs.flatMap((input) => {
      const entry = spent.get(toOutpointKey(input.outpoint))
      return entry !== undefined && spendsEntry(input, entry) ? entry.amount : []
    })
    const amount = amounts.reduce((sum, each) => sum + each, 0n)
    return amounts.length === 0 ? [] : { transactionId: id, amount }
  })
}

import type { ChainNetwork } from '../../../model/network.js'
import type { LedgerBlock } from '../block.js'
import { createCoinbase } from '../coinbase.js'
import { SUBSIDIES } from '../params.js'
import { toKnownTransaction } from '../transaction.js'
import type { UtxoView } from '../utxo/utxo-set.js'
import { findUtxos, validateInUtxoContext, type Acceptance, type ValidationContext } from './acceptance.js'

/**
 * Whether a block can be a chain block. A disqualified block is still merged, and its valid transactions are accepted.
 */
export type UtxoValidity =
  | { readonly status: 'valid'; readonly acceptance: Acceptance }
  | { readonly status: 'disqualified' }

export const DISQUALIFIED: UtxoValidity = { status: 'disqualified' }

/** Whether the header commitments and the coinbase equal those computed from the past. */
export function hasExpectedCommitments(
  { header, transactions, context, miner, subsidy }: LedgerBlock,
  acceptance: Acceptance,
  network: ChainNetwork,
  pruningPoint: string,
): boolean {
  const { ghostdag, outsideDaaWindow } = context
  const payload = { blueScore: ghostdag.blueScore, subsidy, miner }
  const coinbase = toKnownTransaction(createCoinbase(payload, ghostdag, acceptance.rewards, outsideDaaWindow))
  return (
    header.acceptedIdMerkleRoot === acceptance.acceptedIdMerkleRoot &&
    header.utxoCommitment === acceptance.utxoCommitment &&
    header.parentsByLevel[0]?.[0] === ghostdag.selectedParent &&
    header.pruningPoint === pruningPoint &&
    subsidy === SUBSIDIES[network] &&
    transactions[0]?.hash === coinbase.hash
  )
}

/** Whether all transactions of a block are valid. `utxos` is the set in its past. */
export function hasValidTransactions(
  { transactions, context }: LedgerBlock,
  utxos: UtxoView,
  validation: ValidationContext,
): boolean {
  const inclusion = { ...context, coinbaseMaturity: validation.coinbaseMaturity }
  return transactions.slice(1).every((known) => {
    const spent = findUtxos(known, utxos)
    return (
      spent !== undefined && validateInUtxoContext(known, spent, inclusion, validation.verificationCache) === undefined
    )
  })
}

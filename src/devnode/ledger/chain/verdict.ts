import type { ChainNetwork } from '../../../model/network.js'
import type { LedgerBlock } from '../block.js'
import { coinbaseOf } from '../coinbase.js'
import { SUBSIDIES } from '../params.js'
import { know } from '../transaction.js'
import type { UtxoView } from '../utxo/utxo-set.js'
import { findCoins, objectToEffect, type Acceptance, type Judge } from './acceptance.js'

/** Whether a block may be a chain block. One that may not is merged all the same, and so are those of its transactions that are good. */
export type Verdict =
  { readonly status: 'valid'; readonly acceptance: Acceptance } | { readonly status: 'disqualified' }

export const DISQUALIFIED: Verdict = { status: 'disqualified' }

/** What a block must have told of its past: everything that the network can compute, too. */
export function tellsTruth(
  { header, transactions, context, miner, subsidy }: LedgerBlock,
  acceptance: Acceptance,
  network: ChainNetwork,
  pruningPoint: string,
): boolean {
  const { ghostdag, outsideDaaWindow } = context
  const payload = { blueScore: ghostdag.blueScore, subsidy, miner }
  const coinbase = know(coinbaseOf(payload, ghostdag, acceptance.rewards, outsideDaaWindow))
  return (
    header.acceptedIdMerkleRoot === acceptance.acceptedIdMerkleRoot &&
    header.utxoCommitment === acceptance.utxoCommitment &&
    header.parentsByLevel[0]?.[0] === ghostdag.selectedParent &&
    header.pruningPoint === pruningPoint &&
    subsidy === SUBSIDIES[network] &&
    transactions[0]?.hash === coinbase.hash
  )
}

/** Whether all of a block's own transactions are good, seen from the block itself. `coins` are those of its past. */
export function holdsGoodTransactions({ transactions, context }: LedgerBlock, coins: UtxoView, judge: Judge): boolean {
  const from = { ...context, coinbaseMaturity: judge.coinbaseMaturity }
  return transactions.slice(1).every((known) => {
    const spent = findCoins(known, coins)
    return spent !== undefined && objectToEffect(known, spent, from, judge.verified) === undefined
  })
}

import { withOutcome } from '../../../errors/with-outcome.js'
import { ChainError } from '../../../errors/chain-error.js'
import { NETWORKS } from '../../../model/network.js'
import type { SentIds } from '../../../model/bounded-collections.js'
import type { SubmissionKnown } from '../../../model/submission-reply.js'
import type { Transaction } from '../../../model/transaction.js'
import { findTransaction } from '../../submission/find-transaction.js'
import { toUnknownOutcome } from '../../submission/unknown-outcome.js'
import type { ClaimResult, TransactionDependencies } from '../dependencies.js'
import { claimedElsewhere, claimedSinceSent } from './claimed-elsewhere.js'
import type { LookupStart } from './lookup-start.js'
import type { Submit } from './submission.js'

/** Lookups of a payment that another tab submits, and the ms between them. */
const LOOKUPS = 5
const LOOKUP_INTERVAL = 1_000

export interface ClaimedSubmission extends Pick<TransactionDependencies, 'network' | 'call' | 'pause'> {
  readonly id: string
  /** Claims its UTXOs in all tabs, as `sent`. */
  readonly claim: () => Promise<ClaimResult>
  /** Whether an earlier process may have sent it. */
  readonly isRestored: boolean
  readonly sentIds: Pick<SentIds, 'has'>
  readonly lookupStart: Pick<LookupStart, 'known'>
}

/**
 * Claims the UTXOs of a payment before each submission. A restored one that another tab has, too, is submitted by one
 * of them only: the other follows its id. Rejects as `submit` does, and with `ChainError` (`aborted`).
 */
export function withClaim(submit: Submit, payment: ClaimedSubmission): Submit {
  const { id, claim, isRestored, sentIds } = payment
  return async (transaction, signal) => {
    let result = await claim()
    if (result === 'same-payment' && isRestored) {
      const followed = await follow(transaction, payment)
      if (followed !== 'taken' && followed !== 'claimed') return followed
      result = followed
    }
    if (result === 'claimed') return submit(transaction, signal)
    throw isRestored || sentIds.has(id) ? claimedSinceSent(id) : withOutcome(claimedElsewhere(), 'unsent', id)
  }
}

/** How the node knows it; the claim once the other tab does not have it any more. */
async function follow(
  transaction: Transaction,
  { id, claim, network, call, pause, lookupStart }: ClaimedSubmission,
): Promise<SubmissionKnown | Exclude<ClaimResult, 'same-payment'>> {
  const prefix = NETWORKS[network()].addressPrefix
  const find = () => findTransaction({ id, transaction, prefix, lookupStart: lookupStart.known() }, call)
  for (let lookups = 1; ; lookups++) {
    const known = await find().catch((error: unknown) => {
      throw toUnknownOutcome(error, id)
    })
    if (known !== undefined) return known
    const result = await claim()
    if (result !== 'same-payment') return result
    if (lookups === LOOKUPS) throw submittedElsewhere(id)
    await pause(LOOKUP_INTERVAL)
  }
}

const submittedElsewhere = (transactionId: string): ChainError =>
  new ChainError('Another tab submits this payment, and the node does not show it yet', {
    code: 'aborted',
    outcome: 'unknown',
    transactionId,
    hint: 'Follow transactionId, or submit the same payment again later. Never plan a new one.',
  })

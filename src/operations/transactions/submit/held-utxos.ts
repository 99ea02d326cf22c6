import type { UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type {
  Release,
  Reservations,
  ClaimedPlan,
  PaymentClaims,
  ClaimResult,
  TransactionDependencies,
} from '../transaction-operations.js'
import type { BuiltTransaction } from '../build.js'
import { withOutcome } from '../../../errors/with-outcome.js'
import { ChainError } from '../../../errors/chain-error.js'
import { NETWORKS } from '../../../model/network.js'
import type { SentIds } from '../../../model/bounded-collections.js'
import type { SubmissionKnown } from '../../../model/submission-reply.js'
import type { Transaction } from '../../../model/transaction.js'
import { findTransaction } from '../../submission/find-transaction.js'
import { toUnknownOutcome } from '../../submission/submit-to-node.js'
import type { LookupStart } from './before-submission.js'
import type { Submit } from './submission.js'

/** Reserves the UTXOs of one transaction against other payments. */
export interface UtxoReservation {
  /** Reserves the UTXOs for some time; renews the expiry of an existing reservation. */
  readonly reserve: () => void
  /**
   * Reserves them until `reserve` or `release`, for `timeout` ms at most: a signature by a person may take longer than
   * the usual expiry. @default Infinity
   */
  readonly hold: (timeout?: number) => void
  /** Releases them: the transaction will not be sent. */
  readonly release: () => void
}

export function createUtxoReservation(reservations: Reservations, payment: UnconfirmedTransaction): UtxoReservation {
  let current: Release | undefined
  const renew = (timeout?: number): void => {
    const previous = current
    current = reservations.reserve(payment, timeout)
    previous?.() // after the renewal, so that the UTXOs are never free in between
  }
  return {
    reserve: () => renew(),
    hold: (timeout = Infinity) => renew(timeout),
    release() {
      current?.()
      current = undefined
    },
  }
}

interface SigningClaimContext {
  /** What is not submitted yet. */
  readonly left: () => readonly (UtxoReservation & { readonly built: BuiltTransaction })[]
  readonly toClaimed: (transactions: readonly BuiltTransaction[]) => ClaimedPlan
  /** Ms for which it is reserved anyway before it is submitted. */
  readonly timeout: number
}

/** Signs while the UTXOs are claimed. Rejects as `sign` does, and with `ChainError` (`aborted`) before it. */
export type WhileClaimed = (sign: () => Promise<void>) => Promise<void>

/**
 * Reserves and claims all UTXOs of a plan in all tabs before a transaction of it is signed, since `create` reserves
 * nothing. They stay reserved for a minute, in which it is submitted; where it is not signed they are released.
 */
export const createSigningClaim =
  (claims: PaymentClaims, { left, toClaimed, timeout }: SigningClaimContext): WhileClaimed =>
  async (sign) => {
    const transactions = left()
    const end = (step: 'reserve' | 'release'): void => {
      for (const each of transactions) {
        if (timeout > 0) each.hold(timeout)
        else each[step]()
      }
    }
    for (const { hold } of transactions) hold()
    try {
      const claimed = toClaimed(transactions.map(({ built }) => built))
      if ((await claims.claim(claimed, 'planned')) !== 'claimed') throw claimedElsewhere()
      await sign()
    } catch (error) {
      end('release')
      throw error
    }
    end('reserve')
  }

/** Lookups of a payment that another tab submits, and the ms between them. */
const LOOKUPS = 5
const LOOKUP_INTERVAL = 1_000

interface ClaimedSubmission extends Pick<TransactionDependencies, 'network' | 'call' | 'pause'> {
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

/** The error of a payment whose UTXO another one has: a tab was faster, or the claim of a suspended page expired. */
export const claimedElsewhere = (): ChainError =>
  new ChainError('Another payment has claimed a UTXO of this one, so it was not sent', {
    code: 'aborted',
    hint: 'Nothing was sent, and its UTXOs are released: plan it again.',
  })

/** The same of a payment that an earlier call or process may have sent. */
const claimedSinceSent = (transactionId: string): ChainError =>
  new ChainError('Another payment has claimed a UTXO of this one, so it was not sent again', {
    code: 'aborted',
    outcome: 'unknown',
    transactionId,
    hint: 'The network may have it since an earlier submission: follow transactionId. The chain accepts one of the two.',
  })

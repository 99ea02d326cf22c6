import type { SettlementEvent, X402Payment } from '../settlement.js'

/** Blue score for which a served payment may be absent after a reorg: ten seconds. */
const ABSENT_DEPTH = 100n

/** Payments that the blocks should show, and do not. */
export interface UnshownPayments {
  /** The blocks after this blue score come next; null where no position was stored. Forgets what was shown before. */
  readonly begin: (position: bigint | null) => void
  /** Blocks were undone, or left out, so that those after this blue score come next. */
  readonly jump: (position: bigint) => void
  readonly note: (transactionId: string, event: SettlementEvent) => void
  readonly forget: (transactionId: string) => void
  /** What follows for a payment after the blocks up to a blue score. */
  readonly eventOf: (payment: X402Payment, blueScore: bigint) => SettlementEvent | undefined
  /** Each payment was looked at after the blocks up to this blue score. */
  readonly advance: (position: bigint) => void
}

export function createUnshownPayments(): UnshownPayments {
  let position: bigint | null = null
  /** The payments that were accepted by blocks since the beginning. */
  const shown = new Map<string, bigint>()
  /** The blue score at which a served payment was absent first. */
  const absent = new Map<string, bigint>()

  /**
   * Accepted on a branch that was left while nothing was followed: the payment was stored, and the position after it
   * was not.
   */
  function disproved({ transactionId, acceptedBlueScore }: X402Payment, blueScore: bigint) {
    if (position === null || acceptedBlueScore === null || shown.has(transactionId)) return undefined
    const isPassed = acceptedBlueScore > position && acceptedBlueScore <= blueScore
    return isPassed ? ({ type: 'rolled-back', blueScore: acceptedBlueScore - 1n } as const) : undefined
  }

  /** A reorg may have removed what a payment spends, so that no transaction conflicts with it. */
  function lost(payment: X402Payment, blueScore: bigint) {
    const { transactionId } = payment
    const since = absent.get(transactionId) ?? blueScore
    if (isAbsent(payment)) absent.set(transactionId, since)
    else absent.delete(transactionId)
    return absent.has(transactionId) && blueScore - since >= ABSENT_DEPTH
      ? ({ type: 'conflicted', transactionId, blueScore } as const)
      : undefined
  }

  return {
    begin(first) {
      position = first
      shown.clear()
    },
    jump(next) {
      if (position !== null) position = next
    },
    note(transactionId, event) {
      if (event.type === 'accepted') shown.set(transactionId, event.blueScore)
      if (event.type === 'rolled-back' && (shown.get(transactionId) ?? 0n) > event.blueScore)
        shown.delete(transactionId)
    },
    forget(transactionId) {
      shown.delete(transactionId)
      absent.delete(transactionId)
    },
    eventOf: (payment, blueScore) => disproved(payment, blueScore) ?? lost(payment, blueScore),
    advance(next) {
      position = next
    },
  }
}

/** Served, and the chain does not show it. */
const isAbsent = ({ wasServed, acceptedBlueScore, state }: X402Payment): boolean =>
  wasServed && acceptedBlueScore === null && state !== 'conflicting'

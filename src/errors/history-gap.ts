import { ChainError } from './chain-error.js'

/** What is missing from the history that a node can serve. */
export interface HistoryGap {
  /** The newest block that was followed; its blue score is null where only its hash was given (`from`). */
  readonly from: { readonly hash: string; readonly blueScore: bigint | null }
  /** The block from which the node can continue. */
  readonly to: { readonly hash: string; readonly blueScore: bigint }
  /** `pruned`: the node has deleted it. `unknown-history`: the node knows none of the followed blocks. */
  readonly reason: 'pruned' | 'unknown-history'
  /** The cursor of `to`. Delete what was accepted above `to`, then follow this cursor. */
  readonly resumeCursor: string
}

/** The chain between two positions cannot be read. `cause` is the node's error. */
export type HistoryGapError = ChainError<'history-gap'> & HistoryGap

export function historyGap(gap: HistoryGap, cause: unknown): HistoryGapError {
  const start = gap.from.blueScore === null ? `block ${gap.from.hash}` : `blue score ${gap.from.blueScore}`
  const message = `The chain between ${start} and blue score ${gap.to.blueScore} cannot be read: ${WHY[gap.reason]}`
  const hint = 'Connect to a node that keeps more history, or rebuild your rows and continue with resumeCursor.'
  return Object.assign(new ChainError(message, { code: 'history-gap', cause, hint }), gap)
}

const WHY = {
  pruned: 'the node has deleted it',
  'unknown-history': 'the node knows none of the followed blocks',
} as const

/** Narrows an error to `HistoryGapError`. */
export const isHistoryGap = (error: unknown): error is HistoryGapError =>
  error instanceof ChainError && error.code === 'history-gap' && 'resumeCursor' in error

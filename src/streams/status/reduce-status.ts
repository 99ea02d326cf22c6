import { ChainError } from '../../errors/chain-error.js'
import type { OutpointKey } from '../../model/utxo.js'
import type { TransactionPhase } from './status.js'

/** What is known of one transaction. */
export interface StatusState {
  readonly phase: TransactionPhase
  /** Coins it spends, known once it was seen in the mempool. */
  readonly inputs: readonly OutpointKey[]
  readonly acceptedBy: { readonly hash: string; readonly blueScore: bigint | null } | null
  readonly sinkBlueScore: bigint | null
  /** Unix ms when it was last seen anywhere, or first looked for. */
  readonly seenAt: number
  /** Since when it is missing: looked for at `at` and not found, for `elapsed` ms in which the chain moved. */
  readonly missing: { readonly at: number; readonly elapsed: number; readonly sinkBlueScore: bigint | null } | null
  readonly error: ChainError | null
}

export type StatusEvent =
  | { readonly type: 'found'; readonly inputs: readonly OutpointKey[]; readonly at: number }
  | { readonly type: 'absent' | 'ticked'; readonly at: number }
  | { readonly type: 'accepted' | 'reverted'; readonly hash: string; readonly at: number }
  | { readonly type: 'weighed'; readonly hash: string; readonly blueScore: bigint }
  | { readonly type: 'sinkMoved'; readonly blueScore: bigint }
  | { readonly type: 'conflicted'; readonly by: string }
  | { readonly type: 'rejected'; readonly error: ChainError }

/** How long, in ms of a moving chain, a transaction may be neither in the mempool nor accepted: a block may hold it. */
export const EVICTED_AFTER = 120_000

export const notSeen = (now: number): StatusState => ({
  phase: 'unknown',
  inputs: [],
  acceptedBy: null,
  sinkBlueScore: null,
  seenAt: now,
  missing: null,
  error: null,
})

/** Where a transaction stands after `event`; the very same object where the event means nothing. An end is an end. */
export function reduceStatus(state: StatusState, event: StatusEvent, timeout: number): StatusState {
  if (isOver(state)) return state
  switch (event.type) {
    case 'found':
      return state.acceptedBy === null
        ? { ...state, phase: 'mempool', inputs: event.inputs, seenAt: event.at, missing: null }
        : state
    case 'absent':
      return state.acceptedBy === null ? miss(state, event.at, timeout) : state
    case 'ticked':
      return state.acceptedBy === null ? expire(state, event.at, timeout) : state
    case 'accepted':
      return {
        ...state,
        phase: 'accepted',
        acceptedBy: { hash: event.hash, blueScore: null },
        seenAt: event.at,
        missing: null,
      }
    case 'reverted':
      return state.acceptedBy?.hash === event.hash
        ? { ...state, phase: 'mempool', acceptedBy: null, seenAt: event.at, missing: null }
        : state
    case 'weighed':
      return state.acceptedBy?.hash === event.hash && state.acceptedBy.blueScore === null
        ? { ...state, acceptedBy: { hash: event.hash, blueScore: event.blueScore } }
        : state
    case 'sinkMoved':
      return state.sinkBlueScore === event.blueScore ? state : { ...state, sinkBlueScore: event.blueScore }
    case 'conflicted':
      return state.acceptedBy === null ? end(state, 'replaced', replacedBy(event.by)) : state
    case 'rejected':
      return state.acceptedBy === null ? end(state, 'rejected', event.error) : state
  }
}

/** Blue score from the accepting block to the sink; 0 while either is not known. */
export function confirmationsOf({ acceptedBy, sinkBlueScore }: StatusState): number {
  const blueScore = acceptedBy?.blueScore ?? null
  if (blueScore === null || sinkBlueScore === null) return 0
  return Math.max(0, Number(sinkBlueScore - blueScore))
}

/** Nothing more will come of it. */
export const isOver = ({ error }: StatusState): boolean => error !== null

function miss(state: StatusState, at: number, timeout: number): StatusState {
  const { missing, sinkBlueScore, phase } = state
  const moved = missing !== null && missing.sinkBlueScore !== sinkBlueScore ? at - missing.at : 0
  const elapsed = (missing?.elapsed ?? 0) + moved
  if (phase === 'mempool' && elapsed >= EVICTED_AFTER) return end(state, 'evicted', evicted())
  return expire({ ...state, missing: { at, elapsed, sinkBlueScore } }, at, timeout)
}

const expire = (state: StatusState, at: number, timeout: number): StatusState =>
  at - state.seenAt >= timeout ? end(state, 'timed-out', timedOut(timeout)) : state

const end = (state: StatusState, phase: TransactionPhase, error: ChainError): StatusState => ({
  ...state,
  phase,
  error,
})

const replacedBy = (id: string): ChainError =>
  new ChainError(`Another transaction spends the same coins: ${id}`, { hint: 'Follow that one.' })

const evicted = (): ChainError =>
  new ChainError('The transaction has left the mempool, and no block brought it', {
    hint: 'Build it anew from fresh entries and send it again; a higher feeRate keeps it longer.',
  })

const timedOut = (ms: number): ChainError =>
  new ChainError(`The transaction was not seen anywhere for ${ms} ms`, {
    hint: 'Check the id; a transaction that was accepted long ago cannot be found by a node.',
  })

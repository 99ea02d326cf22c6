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
  /** Counts how often it was seen anywhere, a confirmation included: from the last time on its patience runs. */
  readonly sightings: number
  /** Since when it is missing: looked for at `at` and not found, for `elapsed` ms in which the chain moved. */
  readonly missing: { readonly at: number; readonly elapsed: number; readonly sinkBlueScore: bigint | null } | null
  readonly error: ChainError | null
}

export type StatusEvent =
  | { readonly type: 'found'; readonly inputs: readonly OutpointKey[] }
  | { readonly type: 'absent'; readonly at: number }
  | { readonly type: 'accepted' | 'reverted'; readonly hash: string }
  | { readonly type: 'weighed'; readonly hash: string; readonly blueScore: bigint }
  | { readonly type: 'sinkMoved'; readonly blueScore: bigint }
  | { readonly type: 'conflicted'; readonly by: string }
  | { readonly type: 'rejected'; readonly error: ChainError }
  /** It was not seen for `timeout` ms. */
  | { readonly type: 'expired'; readonly timeout: number }

/** How long, in ms of a moving chain, a transaction may be neither in the mempool nor accepted: a block may hold it. */
export const EVICTED_AFTER = 120_000

/** How much of it may pass between two looks, ms: in more than that we were not there, and nobody looked. */
const LOOKED_IN_BETWEEN = 10_000

export const NOT_SEEN: StatusState = {
  phase: 'unknown',
  inputs: [],
  acceptedBy: null,
  sinkBlueScore: null,
  sightings: 0,
  missing: null,
  error: null,
}

/** Where a transaction stands after `event`; the very same object where the event means nothing. An end is an end. */
export function reduceStatus(state: StatusState, event: StatusEvent): StatusState {
  if (isOver(state)) return state
  switch (event.type) {
    case 'accepted':
      return state.acceptedBy?.hash === event.hash ? state : accept(state, event.hash)
    case 'reverted':
      return state.acceptedBy?.hash === event.hash ? seen({ ...state, phase: 'mempool', acceptedBy: null }) : state
    case 'weighed':
      return state.acceptedBy?.hash === event.hash && state.acceptedBy.blueScore === null
        ? { ...state, acceptedBy: { hash: event.hash, blueScore: event.blueScore } }
        : state
    case 'sinkMoved':
      return state.sinkBlueScore === event.blueScore ? state : moveSink(state, event.blueScore)
    case 'expired':
      return end(state, 'timed-out', timedOut(state, event.timeout))
    default:
      return state.acceptedBy === null ? look(state, event) : state
  }
}

type Look = Extract<StatusEvent, { readonly type: 'found' | 'absent' | 'conflicted' | 'rejected' }>

/** What is seen of it while nothing has accepted it. */
function look(state: StatusState, event: Look): StatusState {
  switch (event.type) {
    case 'found':
      return seen({ ...state, phase: 'mempool', inputs: event.inputs })
    case 'absent':
      return miss(state, event.at)
    case 'conflicted':
      return end(state, 'replaced', replacedBy(event.by))
    case 'rejected':
      return end(state, 'rejected', event.error)
  }
}

const seen = (state: StatusState): StatusState => ({ ...state, sightings: state.sightings + 1, missing: null })

const accept = (state: StatusState, hash: string): StatusState =>
  seen({ ...state, phase: 'accepted', acceptedBy: { hash, blueScore: null } })

/** While it is accepted, each block that moves the sink confirms it. */
const moveSink = (state: StatusState, sinkBlueScore: bigint): StatusState =>
  state.acceptedBy === null ? { ...state, sinkBlueScore } : seen({ ...state, sinkBlueScore })

/** Blue score from the accepting block to the sink; 0 while either is not known. */
export function confirmationsOf({ acceptedBy, sinkBlueScore }: StatusState): number {
  const blueScore = acceptedBy?.blueScore ?? null
  if (blueScore === null || sinkBlueScore === null) return 0
  return Math.max(0, Number(sinkBlueScore - blueScore))
}

/** Nothing more will come of it. */
export const isOver = ({ error }: StatusState): boolean => error !== null

function miss(state: StatusState, at: number): StatusState {
  const { missing, sinkBlueScore, phase } = state
  const elapsed = (missing?.elapsed ?? 0) + (missing === null ? 0 : movedFor(missing, state, at))
  if (phase === 'mempool' && elapsed >= EVICTED_AFTER) return end(state, 'evicted', evicted())
  return { ...state, missing: { at, elapsed, sinkBlueScore } }
}

/** The time since the last look in which the chain moved. A clock that jumps ahead, or back, proves nothing. */
const movedFor = (last: NonNullable<StatusState['missing']>, { sinkBlueScore }: StatusState, at: number): number =>
  last.sinkBlueScore === sinkBlueScore ? 0 : Math.min(Math.max(0, at - last.at), LOOKED_IN_BETWEEN)

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

const timedOut = ({ acceptedBy }: StatusState, ms: number): ChainError =>
  acceptedBy === null
    ? new ChainError(`The transaction was not seen anywhere for ${ms} ms`, {
        hint: 'Check the id; a transaction that was accepted long ago cannot be found by a node.',
      })
    : new ChainError(`The transaction was accepted, but for ${ms} ms no block has confirmed it`, {
        hint: 'Check the connection, and that the network makes blocks; then follow it again.',
      })

import { ChainError } from '../../errors/chain-error.js'
import type { OutpointKey } from '../../model/utxo.js'
import type { TransactionPhase } from './status.js'

/** The state of one transaction. */
export interface StatusState {
  readonly phase: TransactionPhase
  /** Outpoints it spends, known once it was seen in the mempool. */
  readonly inputs: readonly OutpointKey[]
  readonly acceptedBy: { readonly hash: string; readonly blueScore: bigint | null } | null
  readonly sinkBlueScore: bigint | null
  /** How often it was seen anywhere, confirmations included. The timeout restarts with each. */
  readonly sightings: number
  /** Not found by the read at `at`, and for `elapsed` ms in which the chain moved. */
  readonly missing: { readonly at: number; readonly elapsed: number; readonly sinkBlueScore: bigint | null } | null
  /** Whether a reorg has reverted it. */
  readonly isReverted: boolean
  /** The sink's blue score when a conflicting transaction was first found; null without one. */
  readonly conflict: { readonly sinkBlueScore: bigint | null } | null
  readonly error: ChainError | null
}

export type StatusEvent =
  | { readonly type: 'found'; readonly inputs: readonly OutpointKey[] }
  | { readonly type: 'absent'; readonly at: number }
  | { readonly type: 'accepted' | 'reverted'; readonly hash: string }
  | { readonly type: 'blueScoreReceived'; readonly hash: string; readonly blueScore: bigint }
  | { readonly type: 'sinkMoved'; readonly blueScore: bigint }
  | { readonly type: 'conflicted'; readonly by: string }
  /** Whether the UTXO index shows all of its inputs. */
  | { readonly type: 'inputsSpent' | 'inputsUnspent' }
  /** The conflicting transaction is confirmed, and this one was not found on the chain. */
  | { readonly type: 'doubleSpent' }
  | { readonly type: 'rejected'; readonly error: ChainError }
  /** Not seen for `timeout` ms. */
  | { readonly type: 'expired'; readonly timeout: number }

/**
 * How long, in ms of a moving chain, a transaction may be absent from mempool and chain: a block that is not merged yet
 * may contain it.
 */
export const EVICTED_AFTER = 120_000

/** The most time counted between two reads, ms: a longer pause means there were no reads. */
const MAX_READ_INTERVAL = 10_000

export const NOT_SEEN: StatusState = {
  phase: 'unknown',
  inputs: [],
  acceptedBy: null,
  sinkBlueScore: null,
  sightings: 0,
  missing: null,
  isReverted: false,
  conflict: null,
  error: null,
}

/** The next state; the same object where the event has no meaning. A final state stays. */
export function reduceStatus(state: StatusState, event: StatusEvent): StatusState {
  if (isOver(state)) return state
  switch (event.type) {
    case 'accepted':
      return state.acceptedBy?.hash === event.hash ? state : accept(state, event.hash)
    case 'reverted':
      return state.acceptedBy?.hash === event.hash
        ? seen({ ...state, phase: 'mempool', acceptedBy: null, isReverted: true })
        : state
    case 'blueScoreReceived':
      return state.acceptedBy?.hash === event.hash && state.acceptedBy.blueScore === null
        ? { ...state, acceptedBy: { hash: event.hash, blueScore: event.blueScore } }
        : state
    case 'sinkMoved':
      return state.sinkBlueScore === event.blueScore ? state : moveSink(state, event.blueScore)
    case 'expired':
      return end(state, 'timed-out', timedOut(state, event.timeout))
    default:
      return state.acceptedBy === null ? reduceUnaccepted(state, event) : state
  }
}

type MempoolEvent = Exclude<
  StatusEvent,
  { readonly type: 'accepted' | 'reverted' | 'blueScoreReceived' | 'sinkMoved' | 'expired' }
>

/** Events that count only while it is not accepted. */
function reduceUnaccepted(state: StatusState, event: MempoolEvent): StatusState {
  switch (event.type) {
    case 'found':
      return seen({ ...state, phase: 'mempool', inputs: event.inputs, conflict: null, error: null })
    case 'absent':
      return reduceAbsent(state, event.at)
    case 'conflicted':
      return end(state, 'replaced', replacedBy(event.by))
    case 'inputsSpent':
      return state.conflict === null
        ? { ...state, phase: 'conflicting', conflict: { sinkBlueScore: state.sinkBlueScore } }
        : state
    case 'inputsUnspent':
      return state.conflict === null ? state : seen({ ...state, phase: 'mempool', conflict: null })
    case 'doubleSpent':
      return state.conflict === null ? state : end(state, 'double-spent', doubleSpent())
    case 'rejected':
      return isRefusable(state) ? { ...state, phase: 'rejected', error: event.error } : state
  }
}

/** A transaction that was seen is not refused by what another node replies. */
const isRefusable = ({ phase }: StatusState): boolean => phase === 'unknown' || phase === 'rejected'

const seen = (state: StatusState): StatusState => ({ ...state, sightings: state.sightings + 1, missing: null })

const accept = (state: StatusState, hash: string): StatusState =>
  seen({ ...state, phase: 'accepted', acceptedBy: { hash, blueScore: null }, conflict: null, error: null })

/** While it is accepted, each new sink confirms it; while it is in conflict, the conflicting transaction. */
function moveSink(state: StatusState, sinkBlueScore: bigint): StatusState {
  if (state.acceptedBy !== null) return seen({ ...state, sinkBlueScore })
  const conflict = state.conflict === null ? null : { sinkBlueScore: state.conflict.sinkBlueScore ?? sinkBlueScore }
  return { ...state, sinkBlueScore, conflict }
}

/** Confirmations of the conflicting transaction, at least; 0 without one. */
export function conflictConfirmationsOf({ conflict, sinkBlueScore }: StatusState): number {
  const start = conflict?.sinkBlueScore ?? null
  if (start === null || sinkBlueScore === null) return 0
  return Math.max(0, Number(sinkBlueScore - start))
}

/** Blue score from the accepting block to the sink; 0 while either is not known. */
export function confirmationsOf({ acceptedBy, sinkBlueScore }: StatusState): number {
  const blueScore = acceptedBy?.blueScore ?? null
  if (blueScore === null || sinkBlueScore === null) return 0
  return Math.max(0, Number(sinkBlueScore - blueScore))
}

/** Whether the state is final. A refusal by a node is not: the network may have the transaction, now or later. */
export const isOver = ({ error, phase }: StatusState): boolean => error !== null && phase !== 'rejected'

function reduceAbsent(state: StatusState, at: number): StatusState {
  const { missing, sinkBlueScore, phase } = state
  const elapsed = (missing?.elapsed ?? 0) + (missing === null ? 0 : elapsedSince(missing, state, at))
  if (phase === 'mempool' && elapsed >= EVICTED_AFTER) return end(state, 'evicted', evicted())
  return { ...state, missing: { at, elapsed, sinkBlueScore } }
}

/** The time since the last read in which the chain moved. Clock jumps are limited. */
const elapsedSince = (last: NonNullable<StatusState['missing']>, { sinkBlueScore }: StatusState, at: number): number =>
  last.sinkBlueScore === sinkBlueScore ? 0 : Math.min(Math.max(0, at - last.at), MAX_READ_INTERVAL)

const end = (state: StatusState, phase: TransactionPhase, error: ChainError): StatusState => ({
  ...state,
  phase,
  error,
})

const replacedBy = (id: string): ChainError =>
  new ChainError(`Another transaction spends the same UTXOs: ${id}`, { hint: 'Follow that transaction.' })

const doubleSpent = (): ChainError =>
  new ChainError('A reorg has reverted the transaction, and another one has spent its UTXOs', {
    hint: 'It cannot be accepted any more. Build it again from current UTXOs and send it.',
  })

const evicted = (): ChainError =>
  new ChainError('The transaction has left the mempool, and no block includes it', {
    hint: 'Build it again from current UTXOs and send it; a higher feeRate keeps it longer in the mempool.',
  })

const timedOut = ({ acceptedBy }: StatusState, ms: number): ChainError =>
  acceptedBy === null
    ? new ChainError(`The transaction was not seen anywhere for ${ms} ms`, {
        hint: 'Check the id; a node cannot find a transaction that was accepted long ago.',
      })
    : new ChainError(`The transaction was accepted, but for ${ms} ms no block has confirmed it`, {
        hint: 'Check the connection and that the network produces blocks; then follow it again.',
      })

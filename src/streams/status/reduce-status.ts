import { ChainError } from '../../errors/chain-error.js'
import type { OutpointKey } from '../../model/utxo.js'
import type { TransactionPhase } from './status.js'

/** What is known of a transaction in any phase. */
interface Facts {
  /** Outpoints it spends, known once it was seen in the mempool. */
  readonly inputs: readonly OutpointKey[]
  readonly sinkBlueScore: bigint | null
  /** How often it was seen anywhere, confirmations included. The timeout restarts with each. */
  readonly sightings: number
}

/** Not found by the read at `at`, and for `elapsed` ms in which the chain moved. */
interface Missing {
  readonly at: number
  readonly elapsed: number
  readonly sinkBlueScore: bigint | null
}

/** The chain block that accepts it. */
interface AcceptedBy {
  readonly hash: string
  readonly blueScore: bigint | null
  /** While the score is not known: it is undone if that is above this one. */
  readonly undoneAbove?: bigint | undefined
}

/** Phases without acceptance; `missing` is null where the last read has found it, or none was made. */
type Unaccepted = Facts & { readonly missing: Missing | null } & (
    | { readonly phase: 'unknown' }
    | { readonly phase: 'rejected'; readonly error: ChainError }
    | { readonly phase: 'mempool'; readonly isReverted: boolean }
    /** By the word of a node. */
    | { readonly phase: 'evicted'; readonly isReverted: boolean; readonly error: ChainError }
    | (Replaced & { readonly isReverted: boolean; readonly error: ChainError })
    /** `since`: the sink's blue score when the conflicting transaction was first found. */
    | { readonly phase: 'conflicting'; readonly since: bigint | null }
  )

/** `by`: the other transaction. `since`: the sink's blue score when that one was found accepted. */
interface Replaced {
  readonly phase: 'replaced'
  readonly by: string
  readonly isOtherAccepted: boolean
  readonly since: bigint | null
}

type Accepted = Facts & { readonly phase: 'accepted'; readonly acceptedBy: AcceptedBy }

/** A phase that stays. `acceptedBy`: where it was accepted, but not confirmed. */
type Over = Facts & {
  readonly isOver: true
  readonly phase: Extract<TransactionPhase, 'double-spent' | 'replaced' | 'timed-out'>
  readonly error: ChainError
  readonly acceptedBy: AcceptedBy | null
}

/** The state of one transaction. */
export type StatusState = Unaccepted | Accepted | Over

export type StatusEvent =
  | { readonly type: 'found'; readonly inputs: readonly OutpointKey[] }
  | { readonly type: 'absent'; readonly at: number }
  | { readonly type: 'accepted' | 'reverted'; readonly hash: string }
  /** What was accepted above this blue score is undone; what is accepted again follows. */
  | { readonly type: 'rolledBack'; readonly blueScore: bigint }
  | { readonly type: 'blueScoreReceived'; readonly hash: string; readonly blueScore: bigint }
  | { readonly type: 'sinkMoved'; readonly blueScore: bigint }
  | { readonly type: 'conflicted'; readonly by: string }
  /** The chain has accepted the transaction that was found in its place, or not any more. */
  | { readonly type: 'otherAccepted' | 'otherReverted'; readonly id: string }
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

export const NOT_SEEN: StatusState = { phase: 'unknown', inputs: [], sinkBlueScore: null, sightings: 0, missing: null }

/** The next state; the same object where the event has no meaning. A final state stays. */
export function reduceStatus(state: StatusState, event: StatusEvent): StatusState {
  if (isOver(state)) return state
  switch (event.type) {
    case 'accepted':
      return isAcceptedBy(state, event.hash) ? state : accept(state, event.hash)
    case 'sinkMoved':
      return state.sinkBlueScore === event.blueScore ? state : moveSink(state, event.blueScore)
    case 'expired':
      return end(state, 'timed-out', timedOut(state, event.timeout))
    default:
      return state.phase === 'accepted' ? reduceAccepted(state, event) : reduceUnaccepted(state, event)
  }
}

type PhaseEvent = Exclude<StatusEvent, { readonly type: 'accepted' | 'sinkMoved' | 'expired' }>

/** Events that count only while it is accepted. */
function reduceAccepted(state: Accepted, event: PhaseEvent): StatusState {
  const { acceptedBy } = state
  if (event.type === 'reverted' && acceptedBy.hash === event.hash) return toMempool(state, true)
  if (event.type === 'rolledBack') return rollBack(state, event.blueScore)
  if (event.type !== 'blueScoreReceived' || acceptedBy.hash !== event.hash || acceptedBy.blueScore !== null)
    return state
  const { undoneAbove } = acceptedBy
  if (undoneAbove !== undefined && event.blueScore > undoneAbove) return toMempool(state, true)
  return { ...state, acceptedBy: { hash: event.hash, blueScore: event.blueScore } }
}

/** A block whose score is not known may be below: that decides once it is received. */
function rollBack(state: Accepted, blueScore: bigint): StatusState {
  const { acceptedBy } = state
  if (acceptedBy.blueScore !== null) return acceptedBy.blueScore > blueScore ? toMempool(state, true) : state
  const isLower = acceptedBy.undoneAbove === undefined || blueScore < acceptedBy.undoneAbove
  return isLower ? { ...state, acceptedBy: { ...acceptedBy, undoneAbove: blueScore } } : state
}

/** After a rollback the same block may accept it again. */
function isAcceptedBy(state: StatusState, hash: string): boolean {
  const by = acceptedByOf(state)
  return by?.hash === hash && by.undoneAbove === undefined
}

/** Events that count only while it is not accepted. */
function reduceUnaccepted(state: Unaccepted, event: PhaseEvent): StatusState {
  switch (event.type) {
    case 'found':
      return toMempool({ ...state, inputs: event.inputs }, wasReverted(state))
    case 'absent':
      return reduceAbsent(state, event.at)
    case 'conflicted':
      return replace(state, event.by)
    case 'otherAccepted':
    case 'otherReverted':
      return reduceReplaced(state, event.id, event.type === 'otherAccepted')
    case 'rolledBack':
      return rollBackOther(state, event.blueScore)
    case 'inputsSpent':
      return state.phase === 'conflicting' ? state : conflict(state)
    case 'inputsUnspent':
      return state.phase === 'conflicting' ? toMempool(state, true) : state
    case 'doubleSpent':
      if (state.phase === 'replaced') return end(state, 'replaced', state.error)
      return state.phase === 'conflicting' ? end(state, 'double-spent', doubleSpent()) : state
    case 'rejected':
      return isRefusable(state) ? { ...state, phase: 'rejected', error: event.error } : state
    default:
      return state
  }
}

/** Another transaction spends the same UTXOs, by the word of a node: either may be accepted. */
function replace(state: Unaccepted, by: string): StatusState {
  if (state.phase === 'conflicting' || (state.phase === 'replaced' && state.by === by)) return state
  const { missing } = state
  const other = { by, isOtherAccepted: false, since: null, error: replacedBy(by) }
  return { ...factsOf(state), ...other, phase: 'replaced', missing, isReverted: wasReverted(state) }
}

function reduceReplaced(state: Unaccepted, by: string, isOtherAccepted: boolean): StatusState {
  if (state.phase !== 'replaced' || state.by !== by || state.isOtherAccepted === isOtherAccepted) return state
  return { ...state, isOtherAccepted, since: isOtherAccepted ? state.sinkBlueScore : null }
}

/** The block of the transaction in its place may be above the score: where that is accepted again, a change follows. */
const rollBackOther = (state: Unaccepted, blueScore: bigint): StatusState =>
  state.phase === 'replaced' && (state.since ?? 0n) > blueScore ? reduceReplaced(state, state.by, false) : state

/** A transaction that was seen is not refused by what another node replies. */
const isRefusable = ({ phase }: Unaccepted): boolean => phase === 'unknown' || phase === 'rejected'

const factsOf = ({ inputs, sinkBlueScore, sightings }: Facts): Facts => ({ inputs, sinkBlueScore, sightings })

const seen = (state: Facts): Facts => ({ ...factsOf(state), sightings: state.sightings + 1 })

const toMempool = (state: Facts, isReverted: boolean): StatusState => ({
  ...seen(state),
  phase: 'mempool',
  missing: null,
  isReverted,
})

const accept = (state: StatusState, hash: string): StatusState => ({
  ...seen(state),
  phase: 'accepted',
  acceptedBy: { hash, blueScore: null },
})

const conflict = (state: Unaccepted): StatusState => ({
  ...factsOf(state),
  phase: 'conflicting',
  missing: state.missing,
  since: state.sinkBlueScore,
})

/** While it is accepted, each new sink confirms it; while it is in conflict, the conflicting transaction. */
function moveSink(state: Unaccepted | Accepted, sinkBlueScore: bigint): StatusState {
  if (state.phase === 'accepted') return { ...state, ...seen(state), sinkBlueScore }
  return hasConflict(state)
    ? { ...state, sinkBlueScore, since: state.since ?? sinkBlueScore }
    : { ...state, sinkBlueScore }
}

/** Whether the chain shows that another transaction has spent its inputs. */
export const hasConflict = (
  state: StatusState,
): state is Extract<Unaccepted, { readonly phase: 'conflicting' | 'replaced' }> =>
  !isOver(state) && (state.phase === 'conflicting' || (state.phase === 'replaced' && state.isOtherAccepted))

/** Confirmations of the conflicting transaction, at least; 0 without one. */
export function conflictConfirmationsOf(state: StatusState): number {
  return hasConflict(state) ? scoreDifference(state.since, state.sinkBlueScore) : 0
}

/** Blue score from the accepting block to the sink; 0 while either is not known. */
export function confirmationsOf(state: StatusState): number {
  return scoreDifference(acceptedByOf(state)?.blueScore ?? null, state.sinkBlueScore)
}

const scoreDifference = (from: bigint | null, to: bigint | null): number =>
  from === null || to === null ? 0 : Math.max(0, Number(to - from))

/** Whether the state is final. What a node says is not: the network may have the transaction, now or later. */
export const isOver = (state: StatusState): state is Over => 'isOver' in state

/** The transaction that was found in its place; undefined without one. */
export const replacementOf = (state: StatusState): string | undefined =>
  state.phase === 'replaced' && !isOver(state) ? state.by : undefined

/** The block that accepts it, or accepted it when it ended; null without one. */
export const acceptedByOf = (state: StatusState): AcceptedBy | null => ('acceptedBy' in state ? state.acceptedBy : null)

/** Why it failed, or why a node refused it; otherwise null. */
export const errorOf = (state: StatusState): ChainError | null => ('error' in state ? state.error : null)

/** Its last read that has not found it; null where it was seen since. */
export const missingOf = (state: StatusState): Missing | null => ('missing' in state ? state.missing : null)

/** Whether a reorg has reverted it, and no block accepts it. */
export const wasReverted = (state: StatusState): boolean =>
  state.phase === 'conflicting' || ('isReverted' in state && state.isReverted)

function reduceAbsent(state: Unaccepted, at: number): StatusState {
  const { missing, sinkBlueScore } = state
  const elapsed = (missing?.elapsed ?? 0) + (missing === null ? 0 : elapsedSince(missing, state, at))
  const read = { at, elapsed, sinkBlueScore }
  if (state.phase === 'mempool' && elapsed >= EVICTED_AFTER)
    return { ...state, phase: 'evicted', error: evicted(), missing: read }
  return { ...state, missing: read }
}

/** The time since the last read in which the chain moved. Clock jumps are limited. */
const elapsedSince = (last: Missing, { sinkBlueScore }: Facts, at: number): number =>
  last.sinkBlueScore === sinkBlueScore ? 0 : Math.min(Math.max(0, at - last.at), MAX_READ_INTERVAL)

const end = (state: StatusState, phase: Over['phase'], error: ChainError): StatusState => ({
  ...factsOf(state),
  isOver: true,
  phase,
  error,
  acceptedBy: acceptedByOf(state),
})

const replacedBy = (id: string): ChainError =>
  new ChainError(`Another transaction spends the same UTXOs: ${id}`, {
    hint: 'Follow that transaction: the chain accepts one of the two.',
  })

const doubleSpent = (): ChainError =>
  new ChainError('A reorg has reverted the transaction, and another one has spent its UTXOs', {
    hint: 'Only a deeper reorg could accept it still. Pay again from an output of the transaction that has spent its UTXOs: then never both are accepted.',
  })

const evicted = (): ChainError =>
  new ChainError('The transaction has left the mempool, and no block includes it', {
    hint: 'Another node may have it still: submit the same signed transaction again. Never plan a new payment in its place.',
  })

const timedOut = (state: StatusState, ms: number): ChainError =>
  acceptedByOf(state) === null
    ? new ChainError(`The transaction was not seen anywhere for ${ms} ms`, {
        hint: errorOf(state)?.hint ?? 'Check the id; a node cannot find a transaction that was accepted long ago.',
      })
    : new ChainError(`The transaction was accepted, but for ${ms} ms no block has confirmed it`, {
        hint: 'Check the connection and that the network produces blocks; then follow it again.',
      })

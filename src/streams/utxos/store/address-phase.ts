import type { ChainError } from '../../../errors/chain-error.js'
import { bufferDelta, type BufferedDeltas, type Delta, type DeltaOrder } from './delta.js'

/**
 * Synchronization state of one address. `content`: whether a snapshot was ever loaded; loaded entries stay visible.
 * - `idle`: no connection. `subscribing`: the node has not confirmed the subscription yet.
 * - `due`: subscribed; a snapshot has to be fetched. `fetching`: in flight; `deltas` are the notifications since then.
 * - `live`: loaded, and every later notification is applied.
 */
export type AddressPhase =
  | { readonly step: 'idle' | 'due' | 'live'; readonly content: Content }
  | { readonly step: 'subscribing'; readonly content: Content; readonly refusal: ChainError | null }
  | { readonly step: 'fetching'; readonly content: Content; readonly deltas: BufferedDeltas }
  | { readonly step: 'failed'; readonly content: Content; readonly error: ChainError }

type Content = 'unloaded' | 'loaded'

export type AddressEvent =
  | {
      readonly type:
        | 'connected'
        | 'disconnected'
        | 'cleared'
        | 'placed'
        | 'invalidated'
        | 'fetchStarted'
        | 'fetched'
        | 'retryDue'
    }
  | { readonly type: 'refused' | 'fetchFailed' | 'corrupted'; readonly error: ChainError }
  | { readonly type: 'notified'; readonly delta: Delta; readonly order: DeltaOrder }

export const UNLOADED: AddressPhase = { step: 'idle', content: 'unloaded' }

/** The next phase; the same object where the event has no meaning. */
export function reduceAddressPhase(phase: AddressPhase, event: AddressEvent): AddressPhase {
  const { content } = phase
  switch (event.type) {
    case 'disconnected':
      return phase.step === 'idle' ? phase : { step: 'idle', content }
    case 'cleared':
      return content === 'unloaded' ? phase : { step: 'idle', content: 'unloaded' }
    case 'connected':
      return phase.step === 'idle' ? { step: 'subscribing', content, refusal: null } : phase
    case 'refused':
      return isUnplaced(phase) ? { step: 'subscribing', content, refusal: event.error } : phase
    case 'placed':
      return isUnplaced(phase) ? { step: 'due', content } : phase
    case 'invalidated':
      return phase.step === 'live' || phase.step === 'fetching' || phase.step === 'failed'
        ? { step: 'due', content }
        : phase
    case 'retryDue':
      return phase.step === 'failed' ? { step: 'due', content } : phase
    case 'fetchStarted':
      return phase.step === 'due' ? { step: 'fetching', content, deltas: null } : phase
    case 'notified':
      return phase.step === 'fetching'
        ? { ...phase, deltas: bufferDelta(phase.deltas, event.delta, event.order) }
        : phase
    case 'fetched':
      return phase.step === 'fetching' ? { step: 'live', content: 'loaded' } : phase
    case 'corrupted': // notifications of an unknown content are missing
      return isUnplaced(phase) ? phase : { step: 'failed', content, error: event.error }
    case 'fetchFailed':
      return phase.step === 'fetching' ? { step: 'failed', content, error: event.error } : phase
  }
}

/** Includes `idle`, because subscriptions are placed during the handshake, before `connected`. */
export const isUnplaced = ({ step }: AddressPhase): boolean => step === 'idle' || step === 'subscribing'

/** Whether the mempool was read for an address set in this session; `due`: it has to be read, or read again. */
export type MempoolPhase = 'unread' | 'due' | 'read'

/**
 * - `sessionStarted`: another node has another mempool. `requested`: by a poll, a payment or a change of the UTXOs.
 * - `readStarted`: the request is sent. `pollEnded`: no subscriber of the set polls any more.
 */
export type MempoolEvent = 'sessionStarted' | 'requested' | 'readStarted' | 'pollEnded'

/** The next phase; the same where the event has no meaning. */
export function reduceMempoolPhase(phase: MempoolPhase, event: MempoolEvent): MempoolPhase {
  switch (event) {
    case 'sessionStarted':
      return 'unread'
    case 'requested':
      return 'due'
    case 'readStarted':
      return 'read'
    case 'pollEnded':
      return phase === 'due' ? phase : 'unread'
  }
}

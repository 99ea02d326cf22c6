import type { ChainError } from '../../errors/chain-error.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { Freshness, StaleReason } from './state.js'

/** One notification, as far as it concerns one address. */
export interface Delta {
  readonly removed: readonly UtxoEntry[]
  readonly added: readonly UtxoEntry[]
}

/**
 * Where one address stands. `content` says whether it was ever read; what was read is shown, however old.
 * - `idle`: there is no connection. `subscribing`: the node has not yet agreed to tell of changes.
 * - `due`: it tells; a snapshot is to be fetched. `reading`: one is under way, and what is told meanwhile is kept for it.
 * - `live`: read, and told of every change since.
 */
export type BookPhase =
  | { readonly step: 'idle' | 'due' | 'live'; readonly content: Content }
  | { readonly step: 'subscribing'; readonly content: Content; readonly refusal: ChainError | null }
  | { readonly step: 'reading'; readonly content: Content; readonly told: readonly Delta[] }
  | { readonly step: 'failed'; readonly content: Content; readonly error: ChainError }

type Content = 'unread' | 'read'

export type BookEvent =
  | { readonly type: 'connected' | 'lost' | 'placed' | 'invalidated' | 'fetchBegun' | 'fetched' | 'retryDue' }
  | { readonly type: 'refused' | 'fetchFailed'; readonly error: ChainError }
  | { readonly type: 'told'; readonly delta: Delta }

export const UNREAD: BookPhase = { step: 'idle', content: 'unread' }

/** Where an address stands after `event`; the very same object where the event means nothing. */
export function reduceBook(phase: BookPhase, event: BookEvent): BookPhase {
  const { content } = phase
  switch (event.type) {
    case 'lost':
      return phase.step === 'idle' ? phase : { step: 'idle', content }
    case 'connected':
      return phase.step === 'idle' ? { step: 'subscribing', content, refusal: null } : phase
    case 'refused':
      return isUnplaced(phase) ? { step: 'subscribing', content, refusal: event.error } : phase
    case 'placed':
      return isUnplaced(phase) ? { step: 'due', content } : phase
    case 'invalidated':
      return phase.step === 'live' || phase.step === 'reading' || phase.step === 'failed'
        ? { step: 'due', content }
        : phase
    case 'retryDue':
      return phase.step === 'failed' ? { step: 'due', content } : phase
    case 'fetchBegun':
      return phase.step === 'due' ? { step: 'reading', content, told: [] } : phase
    case 'told':
      return phase.step === 'reading' ? { ...phase, told: [...phase.told, event.delta] } : phase
    case 'fetched':
      return phase.step === 'reading' ? { step: 'live', content: 'read' } : phase
    case 'fetchFailed':
      return phase.step === 'reading' ? { step: 'failed', content, error: event.error } : phase
  }
}

/** Subscriptions are placed while the handshake is still going on, so also before `connected`. */
export const isUnplaced = ({ step }: BookPhase): boolean => step === 'idle' || step === 'subscribing'

/** How far what is shown of an address can be trusted, and why no further. */
export function toFreshness(phase: BookPhase): { readonly freshness: Freshness; readonly reason: StaleReason | null } {
  if (phase.step === 'live') return { freshness: 'fresh', reason: null }
  const reason = toReason(phase)
  if (phase.content === 'read') return { freshness: 'stale', reason }
  return { freshness: reason === 'fetching' || reason === 'subscribing' ? 'loading' : 'unknown', reason }
}

function toReason(phase: BookPhase): StaleReason {
  switch (phase.step) {
    case 'subscribing':
      if (phase.refusal === null) return 'subscribing'
      return phase.refusal.code === 'unsupported' ? 'no-utxo-index' : 'subscription-refused'
    case 'due':
    case 'reading':
      return 'fetching'
    case 'failed':
      return 'fetch-failed'
    default:
      return 'disconnected'
  }
}

export const toBookError = (phase: BookPhase): ChainError | null =>
  phase.step === 'failed' ? phase.error : phase.step === 'subscribing' ? phase.refusal : null

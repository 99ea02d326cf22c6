import type { ChainError } from '../../../errors/chain-error.js'
import type { AddressPhase, AddressSet } from '../store/store.js'
import type { Freshness, StaleReason, UtxoState } from './state.js'

/** Freshness of a tracker: that of its least fresh address set. */
export type Summary = Pick<UtxoState, 'freshness' | 'reason' | 'error'>

/** What limits a tracker's freshness besides its address sets. */
export interface TrackerContext {
  readonly node: 'synced' | 'syncing'
  /** An address of another network; it has no address set. */
  readonly addressError: ChainError | null
  /** Why the last attempt to connect failed. */
  readonly connectionError: ChainError | null
}

export const isSameContext = (a: TrackerContext, b: TrackerContext): boolean =>
  a.node === b.node && a.addressError === b.addressError && a.connectionError === b.connectionError

const RANK: Readonly<Record<Freshness, number>> = { fresh: 0, stale: 1, loading: 2, unknown: 3 }

export function summarize(
  addressSets: Iterable<AddressSet>,
  { node, addressError, connectionError }: TrackerContext,
): Summary {
  if (addressError !== null) return { freshness: 'unknown', reason: 'wrong-network', error: addressError }
  let worst: Summary | null = null
  for (const { phase } of addressSets) {
    const current = toFreshness(phase)
    if (worst === null || RANK[current.freshness] > RANK[worst.freshness])
      worst = { ...current, error: toAddressError(phase) }
  }
  if (worst === null) return { freshness: 'unknown', reason: 'idle', error: null }
  if (worst.reason === 'disconnected') return { ...worst, error: connectionError }
  return worst.freshness === 'fresh' && node === 'syncing'
    ? { freshness: 'stale', reason: 'not-synced', error: null }
    : worst
}

/** Freshness of the address's entries, and the reason where they are not fresh. */
export function toFreshness(phase: AddressPhase): {
  readonly freshness: Freshness
  readonly reason: StaleReason | null
} {
  if (phase.step === 'live') return { freshness: 'fresh', reason: null }
  const reason = toReason(phase)
  if (phase.content === 'loaded') return { freshness: 'stale', reason }
  return { freshness: reason === 'fetching' || reason === 'subscribing' ? 'loading' : 'unknown', reason }
}

function toReason(phase: AddressPhase): StaleReason {
  switch (phase.step) {
    case 'subscribing':
      if (phase.refusal === null) return 'subscribing'
      return phase.refusal.code === 'unsupported' ? 'no-utxo-index' : 'subscription-refused'
    case 'due':
    case 'fetching':
      return 'fetching'
    case 'failed':
      return 'fetch-failed'
    default:
      return 'disconnected'
  }
}

export const toAddressError = (phase: AddressPhase): ChainError | null =>
  phase.step === 'failed' ? phase.error : phase.step === 'subscribing' ? phase.refusal : null

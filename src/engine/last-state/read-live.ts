import type { Observable } from 'rxjs'
import type { FollowBalances, FollowUtxos } from '../../streams/utxos/view/state.js'
import type { LiveSnapshot } from './stored-states.js'

/** The streams of the node's state, without what is stored. */
export interface LiveStates {
  readonly balances: FollowBalances
  readonly utxos: FollowUtxos
}

/**
 * The state of addresses that are followed, for storage; undefined where it is not fresh. Costs the node nothing: they
 * have subscribers.
 */
export function readLive({ balances, utxos }: LiveStates, addresses: readonly string[]): LiveSnapshot | undefined {
  const balance = latestOf(balances(addresses))
  const state = latestOf(utxos(addresses).state$)
  const daaScore = state?.source.rule?.score ?? 0n
  if (balance?.freshness !== 'fresh' || state?.freshness !== 'fresh' || daaScore === 0n) return undefined
  return { daaScore, byAddress: new Map(Object.entries(balance.byAddress)), parts: state.source.rows.parts }
}

/** The value that a stream replays. */
function latestOf<T>(state$: Observable<T>): T | undefined {
  let latest: T | undefined
  state$.subscribe((state) => (latest = state)).unsubscribe()
  return latest
}

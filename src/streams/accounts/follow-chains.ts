import {
  EMPTY,
  catchError,
  combineLatest,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  tap,
  type Observable,
  type OperatorFunction,
} from 'rxjs'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { AddressChain } from './address-chain.js'
import type { CheckCredit } from './credit-check.js'
import type { FollowedChain } from './followed-chain.js'

export interface FollowDeps {
  /** The UTXOs of the addresses, whenever they change. */
  readonly utxos$: (addresses$: Observable<readonly string[]>) => Observable<readonly UtxoEntry[]>
  readonly checkCredit: CheckCredit
}

/** Credits that are checked at a time. */
const CONCURRENT_CHECKS = 8

/**
 * The followed addresses of the chains of an account; an unused one that gets UTXOs extends them while there are
 * subscribers.
 */
export function followChains(
  chains: readonly FollowedChain[],
  { utxos$, checkCredit }: FollowDeps,
): Observable<readonly string[]> {
  const states$ = combineLatest(chains.map(({ state$ }) => state$)).pipe(
    filter((states): states is AddressChain[] => !states.includes(null)),
  )
  const listed = (of: 'addresses' | 'unused') =>
    states$.pipe(map((states) => chains.flatMap((chain, at) => addressesOf(chain, states[at], of))))
  const growth$ = utxos$(listed('unused')).pipe(
    tap((entries) => chains.forEach((chain) => markSeen(chain, entries))),
    credited$(checkCredit),
    tap(({ address = '' }) => chains.forEach((chain) => markUsed(chain, address))),
    ignoreElements(),
  )
  return merge(listed('addresses'), growth$)
}

const addressesOf = (
  chain: FollowedChain,
  state: AddressChain | undefined,
  of: 'addresses' | 'unused',
): readonly string[] => (state === undefined ? [] : chain[of](state))

/** The entries whose credit is in the chain. One that is not found is checked again with the next change. */
function credited$(checkCredit: CheckCredit): OperatorFunction<readonly UtxoEntry[], UtxoEntry> {
  return (entries$) => {
    const checked = new Set<OutpointKey>()
    const check = (entry: UtxoEntry): Observable<UtxoEntry> => {
      const key = toOutpointKey(entry.outpoint)
      return checkCredit(entry).pipe(
        catchError(() => EMPTY),
        finalize(() => checked.delete(key)),
      )
    }
    return entries$.pipe(
      mergeMap((entries) =>
        entries.filter(({ outpoint }) => {
          const key = toOutpointKey(outpoint)
          if (checked.has(key)) return false
          checked.add(key)
          return true
        }),
      ),
      mergeMap(check, CONCURRENT_CHECKS),
    )
  }
}

/** One event for all: each change of a chain is an emission. */
function markSeen(chain: FollowedChain, entries: readonly UtxoEntry[]): void {
  const index = entries.reduce((last, { address = '' }) => Math.max(last, chain.indexOf(address) ?? -1), -1)
  if (index >= 0) chain.dispatch({ type: 'seen', index })
}

function markUsed(chain: FollowedChain, address: string): void {
  const index = chain.indexOf(address)
  if (index !== undefined) chain.dispatch({ type: 'used', index })
}

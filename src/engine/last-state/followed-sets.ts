import { isSameList } from '../../model/changes.js'
import { toSetKey } from '../../model/last-state/summary.js'
import type { Observable } from 'rxjs'
import type { FollowBalances, FollowUtxos } from '../../streams/utxos/view/state.js'
import type { LiveSnapshot } from './stored-states.js'

/** A set of addresses that has a subscriber. */
export interface FollowedSet {
  readonly key: string
  readonly addresses: readonly string[]
}

/** What one subscriber follows. */
interface Follower {
  /** The addresses, at each of their states; `isFresh`: whether the state may be stored. */
  state(addresses: readonly string[], isFresh: boolean): void
  /** The addresses have changed to none; the key of those before. */
  empty(): string | undefined
  close(): void
}

/** The sets of addresses that have subscribers, and which of them have to be written. No clock, no storage. */
export class FollowedSets {
  /** By follower. */
  readonly #sets = new Map<Follower, FollowedSet>()
  readonly #changed = new Set<string>()
  #forgotten: ReadonlySet<string> = new Set()

  constructor(private readonly onChanged: () => void) {}

  open(): Follower {
    let latest: FollowedSet | undefined
    /** The last ones that were of the network: on another one a state has none. */
    let valid: FollowedSet | undefined
    const follower: Follower = {
      state: (addresses, isFresh) => {
        if (latest === undefined || !isSameList(latest.addresses, addresses)) {
          latest = { key: toSetKey(addresses), addresses }
          if (addresses.length > 0) valid = latest
          this.#sets.set(follower, latest)
          this.#dropForgotten()
        }
        if (!isFresh || addresses.length === 0 || this.#forgotten.has(latest.key)) return
        this.#changed.add(latest.key)
        this.onChanged()
      },
      empty: () => {
        const key = valid?.key
        latest = valid = undefined
        this.#sets.delete(follower)
        this.#dropForgotten()
        return key
      },
      close: () => {
        this.#sets.delete(follower)
        this.#dropForgotten()
      },
    }
    return follower
  }

  /** Whether a subscriber follows the set. */
  has(key: string): boolean {
    return [...this.#sets.values()].some((set) => set.key === key)
  }

  /** The sets that have changed since they were taken last. */
  takeChanged(): readonly FollowedSet[] {
    const sets = this.#distinct().filter(({ key }) => this.#changed.has(key))
    this.#changed.clear()
    return sets
  }

  /** All sets that may be written. */
  takeAll(): readonly FollowedSet[] {
    this.#changed.clear()
    return this.#distinct().filter(({ key, addresses }) => addresses.length > 0 && !this.#forgotten.has(key))
  }

  /** Nothing of the present sets is written until they have lost their subscribers. */
  forget(): void {
    this.#changed.clear()
    this.#forgotten = new Set(Array.from(this.#sets.values(), ({ key }) => key))
  }

  #dropForgotten(): void {
    if (this.#forgotten.size > 0) this.#forgotten = new Set([...this.#forgotten].filter((key) => this.has(key)))
  }

  #distinct(): readonly FollowedSet[] {
    return [...new Map(Array.from(this.#sets.values(), (set) => [set.key, set])).values()]
  }
}

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

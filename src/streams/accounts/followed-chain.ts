import { BehaviorSubject, type Observable } from 'rxjs'
import { endOf, firstUnused, reduceAddressChain, type AddressChain, type AddressChainEvent } from './address-chain.js'

/** The state of one chain of an account with its followed addresses. */
export interface FollowedChain {
  /** Null before the first scan or start. */
  readonly state$: Observable<AddressChain | null>
  readonly state: () => AddressChain | null
  readonly dispatch: (event: AddressChainEvent) => void
  /** The address at an index; kept for later. */
  readonly address: (index: number) => string
  /** The followed addresses. */
  readonly addresses: (chain: AddressChain) => readonly string[]
  /** The followed addresses whose use is not known, without those that were returned, unless there is a limit. */
  readonly unused: (chain: AddressChain) => readonly string[]
  /** The index of a followed or returned address, as far as it was derived. */
  readonly derivedIndexOf: (address: string) => number | undefined
  /** The index of a followed address. */
  readonly indexOf: (address: string) => number | undefined
}

export function createFollowedChain(addressAt: (index: number) => string): FollowedChain {
  const state$ = new BehaviorSubject<AddressChain | null>(null)
  const derived = new Map<number, string>() // a derivation takes about 1 ms
  const indexes = new Map<string, number>()
  let indexed: AddressChain | null = null

  function derive(index: number): string {
    const address = derived.get(index) ?? addressAt(index)
    derived.set(index, address)
    indexes.set(address, index)
    return address
  }
  const range = (from: number, end: number): readonly string[] =>
    Array.from({ length: Math.max(end - from, 0) }, (_, position) => derive(from + position))

  const addresses = (chain: AddressChain): readonly string[] => range(chain.first, endOf(chain))

  return {
    state$: state$.asObservable(),
    state: () => state$.value,
    dispatch: (event) => {
      const next = reduceAddressChain(state$.value, event)
      if (next !== state$.value) state$.next(next)
    },
    address: derive,
    addresses,
    unused: (chain) => range(firstUnused(chain), endOf(chain)),
    derivedIndexOf: (address) => indexes.get(address),
    indexOf: (address) => {
      if (indexed !== state$.value && state$.value !== null) addresses(state$.value) // derives what is missing
      indexed = state$.value
      return indexes.get(address)
    },
  }
}

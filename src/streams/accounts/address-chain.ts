import { BehaviorSubject, type Observable } from 'rxjs'

/** Indexes from here on are hardened, without public derivation. */
export const INDEX_END = 2 ** 31

/** The most indexes by which credits, as a node shows them, extend a chain beyond the last own one. */
const MAX_EXTENSION = 10_000

/**
 * One chain of an account. Followed are the indexes from `first` to the end of the gap after `next` or, where it is
 * higher, `seen`.
 */
export interface AddressChain {
  readonly first: number
  /** The next index to return: above all that are used or were returned. */
  readonly next: number
  readonly gapLimit: number
  /** The end of the indexes that a scan or credits in the chain show used, or that the program has stored. */
  readonly used: number
  /** The end of the followed indexes with UTXOs, which a node may have made up: at most one gap beyond `next`. */
  readonly seen: number
  /** Used indexes at least one gap beyond `next`: those before them are known as UTXOs only. */
  readonly ahead: readonly number[]
  /**
   * Whether credits of returned addresses are looked for: `next` was called with a limit, which counts from the last
   * used one.
   */
  readonly isLimited: boolean
  /** The end of what a scan or this program has established. */
  readonly established: number
}

export type AddressChainEvent =
  /** Begins at an index that the program has stored. */
  | { readonly type: 'started'; readonly index: number }
  /** A scan found the addresses below `end` used. */
  | { readonly type: 'scanned'; readonly end: number; readonly gapLimit: number }
  /** `next` returned an index. */
  | { readonly type: 'issued'; readonly index: number }
  /** `next` was called with a limit. */
  | { readonly type: 'limited' }
  /** The UTXO index shows a followed address. */
  | { readonly type: 'seen'; readonly index: number }
  /** A credit of a followed address is in the chain. */
  | { readonly type: 'used'; readonly index: number }

export const DEFAULT_GAP_LIMIT = 20

/** The next state of a chain, null before the first scan or start; the same object where nothing changes. */
export function reduceAddressChain(chain: AddressChain | null, event: AddressChainEvent): AddressChain | null {
  switch (event.type) {
    case 'started': {
      const { index } = event
      return chain === null
        ? { ...EMPTY, first: index, next: index, used: index, established: index }
        : extend({ ...chain, first: Math.min(chain.first, index), used: Math.max(chain.used, index) }, index)
    }
    case 'scanned': {
      const used = Math.max(chain?.used ?? 0, event.end)
      return extend({ ...EMPTY, ...chain, first: 0, gapLimit: event.gapLimit, used }, event.end)
    }
    case 'issued':
      return chain === null ? null : extend(chain, event.index + 1)
    case 'limited':
      return chain === null || chain.isLimited ? chain : { ...chain, isLimited: true }
    case 'seen': {
      const end = Math.min(event.index + 1, chain === null ? 0 : chain.next + chain.gapLimit)
      return chain === null || end <= chain.next || end <= chain.seen ? chain : { ...chain, seen: end }
    }
    case 'used': {
      const isBeyond = chain !== null && event.index >= chain.established + MAX_EXTENSION
      const isKnown = chain !== null && (event.index < chain.used || chain.ahead.includes(event.index))
      return chain === null || isBeyond || isKnown ? chain : advance({ ...chain, ahead: [...chain.ahead, event.index] })
    }
  }
}

const EMPTY: AddressChain = {
  first: 0,
  next: 0,
  gapLimit: DEFAULT_GAP_LIMIT,
  used: 0,
  seen: 0,
  ahead: [],
  isLimited: false,
  established: 0,
}

/** Moves on behind used indexes, each at most one gap beyond the one before it. */
function advance(chain: AddressChain): AddressChain {
  const index = chain.ahead.find((one) => one < chain.next + chain.gapLimit)
  if (index === undefined) return chain
  const end = index + 1
  const ahead = chain.ahead.filter((one) => one !== index)
  return advance({ ...chain, next: Math.max(chain.next, end), used: Math.max(chain.used, end), ahead })
}

function extend(chain: AddressChain, end: number): AddressChain {
  return { ...chain, next: Math.max(chain.next, end), established: Math.max(chain.established, end) }
}

/** The first index whose credits are looked for. */
const firstUnused = ({ used, next, isLimited }: AddressChain): number => (isLimited ? used : next)

/** The end of the followed indexes. */
export const endOf = ({ next, seen, gapLimit }: AddressChain): number =>
  Math.min(Math.max(next, seen) + gapLimit, INDEX_END)

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

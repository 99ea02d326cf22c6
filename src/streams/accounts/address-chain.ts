/** Indexes from here on are hardened, without public derivation. */
export const INDEX_END = 2 ** 31

/** The most indexes by which used addresses, as remote parties report them, extend a chain beyond the last own one. */
const MAX_EXTENSION = 10_000

/** One chain of an account. Followed are the indexes from `first` to the end of the gap after `next`. */
export interface AddressChain {
  readonly first: number
  /** The next index to return: above all that are used or were returned. */
  readonly next: number
  readonly gapLimit: number
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
  /** A followed address was used. */
  | { readonly type: 'used'; readonly index: number }

export const DEFAULT_GAP_LIMIT = 20

/** The next state of a chain, null before the first scan or start; the same object where nothing changes. */
export function reduceAddressChain(chain: AddressChain | null, event: AddressChainEvent): AddressChain | null {
  switch (event.type) {
    case 'started': {
      const { index } = event
      return chain === null
        ? { first: index, next: index, gapLimit: DEFAULT_GAP_LIMIT, established: index }
        : extend({ ...chain, first: Math.min(chain.first, index) }, index)
    }
    case 'scanned':
      return extend({ established: 0, next: 0, ...chain, first: 0, gapLimit: event.gapLimit }, event.end)
    case 'issued':
      return chain === null ? null : extend(chain, event.index + 1)
    case 'used': {
      const end = event.index + 1
      const isBeyond = chain !== null && end > chain.established + MAX_EXTENSION
      return chain === null || isBeyond || end <= chain.next ? chain : { ...chain, next: end }
    }
  }
}

function extend(chain: AddressChain, end: number): AddressChain {
  return { ...chain, next: Math.max(chain.next, end), established: Math.max(chain.established, end) }
}

/** The end of the followed indexes. */
export const endOf = ({ next, gapLimit }: AddressChain): number => Math.min(next + gapLimit, INDEX_END)

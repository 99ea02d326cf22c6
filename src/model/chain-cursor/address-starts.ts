/** An address that was added while its transfers were followed. */
export interface AddressStart {
  /** The last characters of the address, by which it is found again among the watched ones: `tailOf`. */
  readonly tail: string
  /** The blue score of the block after which the address counts. */
  readonly blueScore: bigint
}

/** Since when added addresses count, in the cursor of `followTransfers`: a reorg below undoes their opening credits. */
export interface AddressStarts {
  /** From this blue score on the list is complete. */
  readonly completeFrom: bigint
  readonly starts: readonly AddressStart[]
}

export const NO_STARTS: AddressStarts = { completeFrom: 0n, starts: [] }

/** The addresses that a cursor names at most: the newest. */
export const MAX_STARTS = 300

/** The checksum of an address and 40 bits of its payload. */
const TAIL = 16
export const START = TAIL + 4
export const COMPLETE_FROM = 8

export const tailOf = (address: string): string => address.slice(-TAIL)

/** The starts of a cursor; undefined where their length is wrong. */
export function decodeStarts(bytes: Uint8Array<ArrayBuffer>, tipScore: bigint): AddressStarts | undefined {
  if (bytes.length === 0) return NO_STARTS
  const count = (bytes.length - COMPLETE_FROM) / START
  if (count < 0 || !Number.isInteger(count)) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const starts = Array.from({ length: count }, (_, index) => {
    const at = COMPLETE_FROM + START * index
    const tail = new TextDecoder().decode(bytes.subarray(at, at + TAIL))
    return { tail, blueScore: tipScore - BigInt(view.getUint32(at + TAIL, true)) }
  })
  return { completeFrom: view.getBigUint64(0, true), starts }
}

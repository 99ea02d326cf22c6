import { fromHex, isHex, toHex } from './hex.js'

/** Bytes of an id. */
const ID_SIZE = 32

/** A list of transaction ids. Those that arrived as bytes remain bytes: an id becomes a string when it is read. */
export class TransactionIds {
  readonly length: number
  readonly #ids: Uint8Array | readonly string[]

  /** Of 32 bytes for each id, or of hex. The list owns them. */
  constructor(ids: Uint8Array | readonly string[]) {
    this.#ids = ids
    this.length = ids instanceof Uint8Array ? Math.floor(ids.length / ID_SIZE) : ids.length
  }

  /** The id at an index below `length`, as hex in lower case. */
  at(index: number): string {
    const ids = this.#ids
    if (!(ids instanceof Uint8Array)) return ids[index] ?? ''
    return toHex(ids.subarray(ID_SIZE * index, ID_SIZE * (index + 1)))
  }

  /** Whether an id is in the list; compares bytes with bytes. */
  includes(id: string): boolean {
    const ids = this.#ids
    if (!(ids instanceof Uint8Array)) return ids.includes(id)
    if (!isHex(id, ID_SIZE)) return false
    const wanted = fromHex(id)
    for (let start = 0; start < ids.length; start += ID_SIZE) if (startsAt(ids, start, wanted)) return true
    return false
  }

  /** What the constructor takes, to be posted to another thread: bytes that belong to nothing else, or hex. */
  toPlain(): Uint8Array | readonly string[] {
    return this.#ids.slice()
  }

  /** All ids as hex, in order. */
  toStrings(): string[] {
    return Array.from({ length: this.length }, (_, index) => this.at(index))
  }
}

function startsAt(ids: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < ID_SIZE; at++) if (ids[start + at] !== wanted[at]) return false
  return true
}

/**
 * A map of the newest entries: an entry that is set, or set again, is the newest, and beyond `capacity` the oldest
 * goes.
 */
export class BoundedMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()

  constructor(private readonly capacity: number) {}

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key)
  }

  has(key: Key): boolean {
    return this.#entries.has(key)
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key) // so that it becomes the newest
    this.#entries.set(key, value)
    if (this.#entries.size <= this.capacity) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Oldest first. */
  values(): IterableIterator<Value> {
    return this.#entries.values()
  }
}

/**
 * Bits of the filter: 512 KiB. Of a million sent ids one in seven others is found by mistake, of a hundred thousand one
 * in 15,000.
 */
const BITS = 2 ** 22

/** Bits per id. */
const HASHES = 4

/**
 * The ids of all transactions that an engine has handed to a node or a gateway, in memory of a fixed size: a Bloom
 * filter, which never forgets an id. `has` may be true for an id that was never sent, so that a submission is `unknown`
 * in place of `unsent`; it is never false for one that was.
 */
export interface SentIds {
  /** Notes an id, before the first byte is sent. */
  readonly add: (id: string) => void
  /** Whether the transaction may have been sent, or is being sent now. */
  readonly has: (id: string) => boolean
  /** Counts the id as sent while `send` runs, and afterwards unless its result shows that nothing was sent. */
  readonly track: <Result>(
    id: string,
    send: () => Promise<Result>,
    wasSent: (result: Result) => boolean,
  ) => Promise<Result>
}

/** Takes memory with the first id. */
export function createSentIds(bits = BITS): SentIds {
  let filter: Uint32Array | undefined
  const inFlight: string[] = []

  const add = (id: string): void => {
    filter ??= new Uint32Array(bits / 32)
    for (const bit of bitsOf(id, bits)) filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  const isNoted = (id: string): boolean =>
    filter !== undefined && bitsOf(id, bits).every((bit) => ((filter?.[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0)

  return {
    add,
    has: (id) => inFlight.includes(id) || isNoted(id),
    track: async (id, send, wasSent) => {
      inFlight.push(id)
      let isSent = true
      try {
        const result = await send()
        isSent = wasSent(result)
        return result
      } finally {
        if (isSent) add(id)
        inFlight.splice(inFlight.indexOf(id), 1)
      }
    },
  }
}

/** An id is a hash: parts of it are the bits. */
const bitsOf = (id: string, bits: number): readonly number[] =>
  Array.from({ length: HASHES }, (_, part) => Number.parseInt(id.slice(8 * part, 8 * part + 8), 16) % bits)

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

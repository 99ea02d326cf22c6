import { describe, expect, it } from 'vitest'
import type { FeedMessage } from '../../../src/feed/jetstream/messages.js'
import { planBatch, WatchSet } from '../../../src/feed/jetstream/plan-batch.js'
import { addressOf, stepOf } from '../support/steps.js'

const addresses = (count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, index) => addressOf(from + index))

/** A stream in memory: what the messages of its last end make of the watched addresses. */
class Stream {
  readonly #messages: FeedMessage[] = []
  readonly set = new WatchSet()
  now = 0

  constructor(private readonly maxAge = Infinity) {}

  write(step: { added?: readonly string[]; removed?: readonly string[]; rollbackTo?: bigint; after?: bigint }): void {
    const { added = [], removed = [], rollbackTo, after = 1n } = step
    const rollback = rollbackTo === undefined ? null : { hash: '00', blueScore: rollbackTo, daaScore: 0n }
    const place = {
      batch: 1,
      attempt: 'a',
      previous: 0,
      previousAttempt: null,
      now: this.now,
      maxAge: this.maxAge,
      network: 'testnet-10',
    }
    const lastSequence = this.#messages.length
    const planned = planBatch(
      { ...stepOf(0, 3, 3), added, addedAfter: added.length > 0 ? after : null, removed, rollback },
      { ...place, network: 'testnet-10', stream: 'chain-testnet-10', lastSequence },
      this.set,
    )
    for (const { body } of planned) this.#messages.push(JSON.parse(body) as FeedMessage)
  }

  /** As a process reads it that starts. */
  read(): WatchSet {
    const restored = new WatchSet()
    for (const sequence of this.sequences()) restored.restore(this.#messages[sequence - 1]!, sequence, 0)
    return restored
  }

  sequences(): readonly number[] {
    const last = this.#messages.at(-1)
    return last?.type === 'end' ? last.watched : []
  }

  lengths(): readonly number[] {
    return this.#messages.map((message) => JSON.stringify(message).length)
  }
}

describe('the watched addresses of a stream', () => {
  it('are restored with the position after which each counts', () => {
    const stream = new Stream()
    stream.write({ added: addresses(3), after: 5n })
    stream.write({ added: addresses(2, 3), after: 9n })
    stream.write({ removed: [addressOf(0)] })
    stream.write({ rollbackTo: 7n })
    const restored = stream.read()
    expect([...restored.addresses()].sort()).toEqual([...addresses(4, 1)].sort())
    expect(restored.openingsAbove(4n)).toHaveLength(4)
    expect(restored.openingsAbove(5n).map(({ blueScore }) => blueScore)).toEqual([7n, 7n])
    expect(restored.sequences).toEqual(stream.set.sequences)
  })

  it('are written again after many changes, in messages of a limited size', () => {
    const stream = new Stream()
    stream.write({ added: addresses(9_000) })
    for (let change = 0; change < 300; change++)
      stream.write({ added: [addressOf(9_000 + change)], after: BigInt(change) })
    expect(stream.read().addresses()).toHaveLength(9_300)
    expect(stream.sequences().length).toBeLessThan(100)
    expect(Math.max(...stream.lengths())).toBeLessThan(500_000)
  })

  it('are written again before the stream removes the oldest of their messages', () => {
    const stream = new Stream(1_000)
    stream.write({ added: addresses(3) })
    stream.write({})
    expect(stream.sequences()).toEqual([2])
    stream.now = 2_000
    stream.write({})
    expect(stream.sequences()[0]).toBeGreaterThan(7)
    expect(stream.read().addresses()).toHaveLength(3)
  })
})

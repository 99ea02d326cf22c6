import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumeTransfers } from '../../../src/feed/consumer/consume-transfers.js'
import { loadClients, type JetStreamClients } from '../../../src/feed/jetstream/nats-connection.js'
import { ensureStream, transferStream } from '../../../src/feed/jetstream/ensure-stream.js'
import { planBatch, type BatchPlace, type Outgoing, WatchSet } from '../../../src/feed/jetstream/plan-batch.js'
import { publishBatch } from '../../../src/feed/jetstream/publish-batch.js'
import { readPosition } from '../../../src/feed/jetstream/create-jetstream-sink.js'
import { SessionDropped } from '../../../src/errors/payout-error.js'
import { stepOf } from '../support/steps.js'
import { hasAtomicBatches, hasNats, startNats, type NatsServer } from '../support/nats-server.js'

const STREAM = 'chain-testnet-10'

describe.skipIf(!hasNats)('publishing a batch (nats-server 2.10 or later)', () => {
  let server: NatsServer
  let one: JetStreamClients
  let other: JetStreamClients

  beforeEach(async () => {
    server = await startNats() // a stream that is created directly after it was deleted may hold its messages again
    one = await loadClients(await server.connect(), 'one', 10_000)
    other = await loadClients(await server.connect(), 'other', 10_000)
  })

  afterEach(() => server.stop())

  const createStream = (isAtomic: boolean) =>
    ensureStream(server.manager, transferStream('testnet-10'), { replicas: 1, maxAge: 0, isAtomic })

  const placeOf = (attempt: string, lastSequence = 0): BatchPlace => ({
    network: 'testnet-10',
    stream: STREAM,
    batch: 1,
    attempt,
    lastSequence,
    previous: 0,
    previousAttempt: null,
    now: 0,
    maxAge: Infinity,
  })

  const plan = (place: BatchPlace, transfers: number): readonly Outgoing[] =>
    planBatch(stepOf(1, transfers, 1_000), place, new WatchSet())

  const countMessages = async (): Promise<number> => (await server.manager.streams.info(STREAM)).state.messages

  /** The attempts that a consumer applies. */
  async function consumed(batches: number): Promise<readonly (readonly [number, number])[]> {
    const found: [number, number][] = []
    for await (const { batch, transfers } of consumeTransfers(one.connection, { network: 'testnet-10' })) {
      found.push([batch, transfers.length])
      if (found.length === batches) break
    }
    return found
  }

  describe.each([
    ...(hasAtomicBatches ? [['an atomic batch', true, 80] as const] : []),
    ['a chain of messages', false, 700] as const,
  ])('as %s', (_, isAtomic, size) => {
    beforeEach(() => createStream(isAtomic))

    it('stores it in order, and finds its end', async () => {
      const place = placeOf('one-1')
      await publishBatch(one, plan(place, size), place, isAtomic)
      expect(await countMessages()).toBe(size + 2)
      const position = await readPosition(server.manager, 'testnet-10')
      expect(position).toMatchObject({
        lastSequence: size + 2,
        end: { batch: 1, attempt: 'one-1', sequence: size + 2 },
      })
      expect(await consumed(1)).toEqual([[1, size]])
    })

    it('takes its own messages at the expected place for a lost acknowledgement', async () => {
      const place = placeOf('one-1')
      const messages = plan(place, 20)
      await publishBatch(one, messages, place, isAtomic)
      await publishBatch(one, messages, place, isAtomic)
      expect(await countMessages()).toBe(22)
    })

    it('is fenced by a message of another instance at the expected place, and leaves no batch', async () => {
      const theirs = placeOf('other-1')
      await publishBatch(other, plan(theirs, 5), theirs, isAtomic)
      const place = placeOf('one-1')
      await expect(publishBatch(one, plan(place, 20), place, isAtomic)).rejects.toMatchObject({ code: 'taken-over' })
      expect(await consumed(1)).toEqual([[1, 5]])
      expect(await countMessages()).toBe(7)
    })

    it('repeats the session where a message of its own earlier attempt is at the expected place', async () => {
      const place = placeOf('one-1')
      await publishBatch(one, plan(place, 20).slice(0, 1), place, false)
      const again = placeOf('one-2')
      await expect(publishBatch(one, plan(again, 20), again, isAtomic)).rejects.toBeInstanceOf(SessionDropped)
      const next = placeOf('one-3', 1)
      await publishBatch(one, plan(next, 3), next, isAtomic)
      expect(await consumed(1)).toEqual([[1, 3]])
    })

    it('lets one of two instances win that publish at the same moment', async () => {
      let lastSequence = 0
      let previousAttempt: string | null = null
      for (let round = 1; round <= 5; round++) {
        const at: BatchPlace = { ...placeOf('', lastSequence), batch: round, previousAttempt }
        const [mine, theirs] = [
          { ...at, attempt: `one-${round}` },
          { ...at, attempt: `other-${round}` },
        ]
        const results = await Promise.allSettled([
          publishBatch(one, plan(mine, size), mine, isAtomic),
          publishBatch(other, plan(theirs, size), theirs, isAtomic),
        ])
        expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
        expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'taken-over' } })
        lastSequence += size + 2
        const stored = await readPosition(server.manager, 'testnet-10')
        expect(stored.lastSequence).toBe(lastSequence)
        previousAttempt = stored.end?.attempt ?? null
      }
      expect(await consumed(5)).toEqual([1, 2, 3, 4, 5].map((batch) => [batch, size]))
    })
  })

  it('stores many messages as a chain where the stream takes atomic batches', async () => {
    await createStream(true)
    const place = placeOf('one-1')
    expect(await publishBatch(one, plan(place, 2_500), place, true)).toBe(true)
    expect(await consumed(1)).toEqual([[1, 2_500]])
  })

  it.skipIf(!hasAtomicBatches)('falls back to a chain where the stream takes no atomic batches', async () => {
    await createStream(false)
    const place = placeOf('one-1')
    expect(await publishBatch(one, plan(place, 10), place, true)).toBe(false)
    expect(await consumed(1)).toEqual([[1, 10]])
  })

  it('supersedes an attempt that was interrupted by the next one', async () => {
    await createStream(false)
    const place = placeOf('one-1')
    await publishBatch(one, plan(place, 100).slice(0, 60), place, false)
    expect(await readPosition(server.manager, 'testnet-10')).toMatchObject({ lastSequence: 60, end: null })
    const next = placeOf('other-1', 60)
    await publishBatch(other, plan(next, 7), next, false)
    expect(await consumed(1)).toEqual([[1, 7]])
    expect((await readPosition(server.manager, 'testnet-10')).end).toMatchObject({ attempt: 'other-1', sequence: 69 })
  })
})

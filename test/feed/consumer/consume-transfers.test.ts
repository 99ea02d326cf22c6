import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { consumeTransfers, type ConsumeTransfersOptions } from '../../../src/feed/consumer/consume-transfers.js'
import type { ConsumedBatch } from '../../../src/feed/consumer/consumed-batch.js'
import { createJetStreamSink } from '../../../src/feed/jetstream/create-jetstream-sink.js'
import { createPause } from '../../../src/loading/pause.js'
import { SessionDropped } from '../../../src/errors/payout-error.js'
import type { FeedSession, FeedStep } from '../../../src/feed/sink.js'
import { hasNats, startNats, type NatsServer } from '../support/nats-server.js'
import { addressOf, stepOf } from '../support/steps.js'

const network = 'testnet-10'

describe.skipIf(!hasNats)('a consumer of JetStream (nats-server 2.10 or later)', () => {
  let server: NatsServer
  let connection: Awaited<ReturnType<NatsServer['connect']>>
  let session: FeedSession

  beforeEach(async () => {
    server = await startNats()
    connection = await server.connect()
    session = await openSession()
  })

  afterEach(async () => {
    await session.close()
    await server.stop()
  })

  /** As a feed does: again where the server is starting. */
  async function openSession(): Promise<FeedSession> {
    const sink = createJetStreamSink({ connection, leaseTimeout: 1_000 })
    const pause = createPause(new AbortController().signal)
    for (;;) {
      try {
        return await sink.open({ network, watch: 'given', signal: new AbortController().signal })
      } catch (error) {
        if (!(error instanceof SessionDropped)) throw error
        await pause.wait()
      }
    }
  }

  /** Delivers steps of three transfers to as many addresses. */
  async function deliver(from: number, to: number, change: Partial<FeedStep> = {}): Promise<void> {
    for (let index = from; index < to; index++) await session.write({ ...stepOf(index, 3, 3), ...change })
  }

  /** Reads a number of batches. */
  async function read(
    count: number,
    options: Partial<ConsumeTransfersOptions> = {},
  ): Promise<readonly ConsumedBatch[]> {
    const batches: ConsumedBatch[] = []
    for await (const batch of consumeTransfers(connection, { network, ...options })) {
      batches.push(batch)
      if (batches.length === count) break
    }
    return batches
  }

  it('yields what was delivered, with its types', async () => {
    const change = { rollback: { hash: '00', blueScore: 5n, daaScore: 6n }, added: [addressOf(7)], addedAfter: 5n }
    await deliver(0, 1)
    await deliver(1, 2, { ...change, removed: [addressOf(8)] })
    const [first, second] = await read(2)
    const { cursor, blueScore, isLive, transactions } = stepOf(0, 3, 3)
    expect(first).toMatchObject({ batch: 1, cursor, blueScore, isLive, rollback: null, added: [], removed: [] })
    expect(first?.transfers).toEqual(
      transactions.flatMap(({ transfers, fee }) => transfers.map((transfer) => ({ ...transfer, fee }))),
    )
    expect(second).toMatchObject({ rollback: change.rollback, added: change.added, removed: [addressOf(8)] })
  })

  it('continues after a position, and after what was acknowledged under a name', async () => {
    await deliver(0, 4)
    const [, second] = await read(2)
    expect((await read(2, { after: second!.position })).map(({ batch }) => batch)).toEqual([3, 4])
    const named = await read(3, { name: 'shop' })
    await named[1]!.ack()
    expect((await read(2, { name: 'shop' })).map(({ batch }) => batch)).toEqual([3, 4])
    expect((await read(1, { name: 'other' })).map(({ batch }) => batch)).toEqual([1])
  })

  it('rejects an acknowledgement where another consumer of that name was faster, and repeats its own', async () => {
    await deliver(0, 3)
    const [slow] = await read(1, { name: 'shop' })
    const [first, second] = await read(2, { name: 'shop' })
    await first!.ack()
    await slow!.ack() // says the same
    await second!.ack()
    await expect(slow!.ack()).rejects.toMatchObject({ code: 'taken-over' })
  })

  it('receives the transfers of chosen addresses only', async () => {
    await deliver(0, 2)
    const batches = await read(2, { addresses: [addressOf(1)] })
    expect(batches.map(({ transfers }) => transfers.map(({ address }) => address))).toEqual([
      [addressOf(1)],
      [addressOf(1)],
    ])
  })

  it('begins with the next batch, and ends with the signal', async () => {
    await deliver(0, 2)
    const controller = new AbortController()
    const batches = consumeTransfers(connection, { network, from: 'next', signal: controller.signal })
    const next = batches.next()
    await expect.poll(async () => (await server.manager.streams.info(`chain-${network}`)).state.consumer_count).toBe(1)
    await deliver(2, 3)
    expect((await next).value).toMatchObject({ batch: 3 })
    const last = batches.next()
    controller.abort()
    expect(await last).toEqual({ done: true, value: undefined })
  })

  it('waits for the stream, and reads on after the server was killed', async () => {
    await session.close()
    await server.manager.streams.delete(`chain-${network}`)
    await server.restart()
    const batches = consumeTransfers(connection, { network })
    const first = batches.next()
    session = await openSession()
    await deliver(0, 1)
    expect((await first).value).toMatchObject({ batch: 1 })
    await server.restart()
    const second = batches.next()
    await session.close()
    session = await openSession()
    await deliver(1, 2)
    expect((await second).value).toMatchObject({ batch: 2 })
    await batches.return?.()
  })

  it('rejects where the stream no longer holds what follows', async () => {
    await deliver(0, 4)
    const [first] = await read(1, { name: 'shop' })
    await first!.ack()
    await server.manager.streams.purge(`chain-${network}`, { seq: Number(first!.position.split('.')[0]) + 5 })
    await expect(read(1, { name: 'shop' })).rejects.toMatchObject({ code: 'history-gap' })
    await expect(read(1, { after: '1000000.9.a-1.now' })).rejects.toMatchObject({ code: 'history-gap' })
  })

  /** The position of the second batch of a stream that is replaced afterwards. */
  async function positionOfSecond(): Promise<string> {
    await deliver(0, 2)
    const [, second] = await read(2, { name: 'shop' })
    await second!.ack()
    return second!.position
  }

  const expectGap = async (after: string): Promise<void> => {
    const gap = { code: 'history-gap', message: expect.stringContaining(`The stream "chain-${network}"`) }
    await expect(read(1, { after })).rejects.toMatchObject(gap)
    await expect(read(1, { name: 'shop' })).rejects.toMatchObject(gap)
  }

  it('rejects a position of a stream that was deleted and created again, however long the new one is', async () => {
    const after = await positionOfSecond()
    await session.close()
    await server.manager.streams.delete(`chain-${network}`)
    session = await openSession()
    await deliver(0, 4)
    await expectGap(after)
  })

  it('rejects a position that a server restored from an older copy has given to another batch', async () => {
    await deliver(0, 1)
    await session.close()
    const restore = await server.backUp()
    session = await openSession()
    await deliver(1, 2)
    const [, second] = await read(2, { name: 'shop' })
    await session.close()
    await restore()
    session = await openSession()
    await deliver(5, 9)
    const all = await read(5)
    expect(all.map(({ batch }) => batch)).toEqual([1, 2, 3, 4, 5])
    await expect(read(1, { after: second!.position })).rejects.toMatchObject({ code: 'history-gap' })
    const first = all[0]!.position // is in the copy
    expect((await read(1, { after: first })).map(({ batch }) => batch)).toEqual([2])
  })

  it('rejects the batch after a position whose stream was restored, also where its end was removed', async () => {
    await deliver(0, 1)
    await session.close()
    const restore = await server.backUp()
    session = await openSession()
    await deliver(1, 2)
    const [, second] = await read(2)
    await session.close()
    await restore()
    session = await openSession()
    await deliver(5, 7)
    const sequence = Number(second!.position.split('.')[0])
    await server.manager.streams.purge(`chain-${network}`, { seq: sequence + 1 })
    await expect(read(1, { after: second!.position })).rejects.toMatchObject({
      code: 'history-gap',
      message: 'Batch 3 of the stream does not follow batch 2 that was read before',
    })
  })

  it('finds delivered credits by outpoint for the feed', async () => {
    await deliver(0, 2)
    const known = stepOf(1, 3, 3).transactions.flatMap(({ transfers }) => transfers)
    const outpoints = [...known.map(({ outpoint }) => outpoint), { transactionId: 'ff'.repeat(32), index: 0 }]
    await session.close()
    session = await openSession()
    const expected = known.map(({ outpoint, address, amount }) => ({ outpoint, address, amount }))
    expect(await session.findCredits?.(outpoints)).toEqual(expected)
    await deliver(2, 3)
    const later = stepOf(2, 3, 3).transactions[0]!.transfers[0]!
    expect(await session.findCredits?.([later.outpoint])).toHaveLength(1)
  })
})

describe('the options of a consumer', () => {
  const connection = { isClosed: () => false, flush: () => Promise.resolve() }

  it.each([
    ['name', { name: 'a name' }, '"name" is not made of letters, digits, - and _'],
    ['after', { after: '7' }, '"after" is no position of a batch'],
    ['addresses[0]', { addresses: ['kaspatest:*'] }, '"addresses[0]" is no address of testnet-10'],
    ['nmae', { nmae: 'shop' }, 'There is no option "nmae"'],
  ])('rejects the option %s', (argument, options, message) => {
    expect(() => consumeTransfers(connection, { network, ...options })).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument, message }),
    )
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { consumeTransfers } from '../../../src/feed/consumer/consume-transfers.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createJetStreamSink } from '../../../src/feed/jetstream/create-jetstream-sink.js'
import type { NatsConnection } from '../../../src/feed/jetstream/nats-connection.js'
import type { FeedSink } from '../../../src/feed/sink.js'
import type { FeedStatus } from '../../../src/feed/status.js'
import { createWatchedAddresses } from '../../../src/streams/transfers/watched-addresses.js'
import type { FeedWatch } from '../../../src/feed/requests.js'
import { boundPayment } from '../../hostile/bound-payment.js'
import { ConsumedRows } from '../support/consumed-rows.js'
import { hasAtomicBatches, hasNats, startNats, type NatsServer } from '../support/nats-server.js'
import { createProxy } from '../support/proxy.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS

describe.skipIf(!hasNats)('the sink on JetStream (nats-server 2.10 or later)', () => {
  let server: NatsServer
  let connection: Awaited<ReturnType<NatsServer['connect']>>
  let devnode: Devnode
  let engine: ChainEngine
  let alice: string
  let bob: string
  let ends: (() => Promise<unknown>)[]

  beforeEach(async () => {
    server = await startNats() // a stream that is created directly after it was deleted may hold its messages again
    connection = await server.connect()
    devnode = await createDevnode({ blockInterval: 0, accounts: 3, balance: BALANCE })
    ;[alice = '', bob = ''] = devnode.accounts.map(({ address }) => address)
    engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await engine.connection.connect()
    ends = []
  })

  afterEach(async () => {
    await Promise.allSettled(ends.map((end) => end()))
    await engine.dispose()
    await devnode.close()
    await server.stop()
  })

  interface Start {
    readonly through?: NatsConnection
    readonly watch?: Exclude<FeedWatch, 'table'>
    readonly leaseTimeout?: number
    readonly timeout?: number
    /** @default one of its own */
    readonly sink?: FeedSink
  }

  function start({ through = connection, watch = [alice], sink: given, ...timing }: Start = {}) {
    const sink = given ?? createJetStreamSink({ connection: through, ...timing })
    const feed = createFeed({ engine, watch, minConfirmations: 0, sink })
    let status: FeedStatus | undefined
    feed.status$.subscribe((next) => (status = next))
    const controller = new AbortController()
    const done = feed.run({ signal: controller.signal })
    done.catch(() => undefined) // read by the tests that expect it
    const stop = (): Promise<void> => {
      controller.abort()
      return done
    }
    ends.push(stop)
    return { done, stop, status: () => status, phase: () => status?.phase, reconnects: () => status?.reconnects ?? 0 }
  }

  /** Applies what is delivered, in the background. */
  function consume(options: { addresses?: readonly string[] } = {}): ConsumedRows {
    const rows = new ConsumedRows()
    const controller = new AbortController()
    const run = async (): Promise<void> => {
      for await (const batch of consumeTransfers(connection, {
        network: 'simnet',
        signal: controller.signal,
        ...options,
      }))
        rows.apply(batch)
    }
    const done = run()
    ends.push(() => {
      controller.abort()
      return done
    })
    return rows
  }

  const untilEqual = (rows: ConsumedRows, ...addresses: string[]) =>
    expect.poll(() => [[...rows.watched].sort(), rows.faults(devnode, BALANCE)]).toEqual([[...addresses].sort(), []])

  async function pay(address = alice, amount = KAS): Promise<string> {
    const id = await devnode.fund(address, amount)
    await devnode.mine(2)
    return id
  }

  it('delivers opening credits and transfers', async () => {
    start()
    const rows = consume()
    await untilEqual(rows, alice)
    const id = await pay(alice, 5n * KAS)
    await untilEqual(rows, alice)
    expect([...rows.rows.values()].find(({ transactionId }) => transactionId === id)).toMatchObject({
      address: alice,
      direction: 'credit',
      amount: 5n * KAS,
      isOpening: false,
      isCoinbase: false,
      counterparties: [expect.stringMatching(/^kaspasim:/)],
    })
  })

  it('F4 delivers outputs of keys that a covenant binds, with the covenant', async () => {
    start({ watch: [bob] })
    const rows = consume()
    await untilEqual(rows, bob)
    const bound = boundPayment(devnode, [{ address: bob, amount: 7n * KAS }])
    await bound.submit()
    await devnode.mine(2)
    await untilEqual(rows, bob)
    const delivered = [...rows.rows.values()].filter(({ isOpening }) => !isOpening)
    expect(delivered).toMatchObject([{ amount: 7n * KAS, covenantId: bound.covenantId }])
  })

  it('undoes what a reorg removed, also one that happened while it was stopped', async () => {
    const first = start()
    const rows = consume()
    await untilEqual(rows, alice)
    const dropped = await devnode.fund(alice, 5n * KAS)
    await devnode.mine(3)
    await untilEqual(rows, alice)
    await devnode.reorg({ depth: 3, drop: [dropped] })
    await pay()
    await untilEqual(rows, alice)
    await first.stop()
    await devnode.reorg({ depth: 2 })
    await pay()
    start()
    await untilEqual(rows, alice)
    expect(rows.rollbacks).toBeGreaterThan(0)
  })

  it('keeps the watched addresses in the stream, and reports opening credits again after a restart and a reorg', async () => {
    const watched = createWatchedAddresses([alice])
    const first = start({ watch: watched })
    const rows = consume()
    await untilEqual(rows, alice)
    await devnode.mine(4)
    watched.add(bob)
    await untilEqual(rows, alice, bob)
    await first.stop()
    await devnode.reorg({ depth: 3 })
    await devnode.mine(2)
    const second = start({ watch: watched })
    await pay(bob)
    await untilEqual(rows, alice, bob)
    watched.delete(alice)
    await devnode.mine()
    await untilEqual(rows, bob)
    await second.stop()
    start({ watch: [bob] })
    await pay(bob)
    await untilEqual(rows, bob)
  })

  it('lets one instance deliver, and another one take over when it ends', async () => {
    const first = start()
    await expect.poll(first.phase).toBe('running')
    const second = start({ through: await server.connect() })
    await expect.poll(second.phase).toBe('stand-by')
    const rows = consume()
    await pay()
    await untilEqual(rows, alice)
    expect(second.phase()).toBe('stand-by')
    await first.stop()
    await expect.poll(second.phase).toBe('running')
    await pay()
    await untilEqual(rows, alice)
  })

  it('lets one of two runs with the same sink deliver, and the other one take over when it ends', async () => {
    const sink = createJetStreamSink({ connection })
    const first = start({ sink })
    await expect.poll(first.phase).toBe('running')
    const second = start({ sink })
    await expect.poll(second.phase).toBe('stand-by')
    const rows = consume()
    await pay()
    await untilEqual(rows, alice)
    expect([first.phase(), second.phase(), first.reconnects()]).toEqual(['running', 'stand-by', 0])
    await first.stop()
    await expect.poll(second.phase).toBe('running')
    await pay()
    await untilEqual(rows, alice)
  })

  it('takes its own lease again, which has not expired, where it was interrupted', async () => {
    const proxy = await createProxy(server.port)
    ends.push(() => proxy.close())
    const through = await server.connect(proxy.port)
    const running = start({ through, leaseTimeout: 3_600_000 })
    const rows = consume()
    await untilEqual(rows, alice)
    proxy.cut()
    await expect.poll(running.reconnects).toBe(1)
    await pay()
    await untilEqual(rows, alice)
    expect(running.phase()).toBe('running')
  })

  it('lets another instance take over from one that is cut off, which then stands by', async () => {
    const proxy = await createProxy(server.port)
    ends.push(() => proxy.close())
    const through = await server.connect(proxy.port, { pingInterval: 300, maxPingOut: 2, timeout: 2_000 })
    const first = start({ through, leaseTimeout: 500, timeout: 1_000 })
    await expect.poll(first.phase).toBe('running')
    const second = start({ leaseTimeout: 500 })
    const rows = consume()
    await pay()
    await untilEqual(rows, alice)
    proxy.freeze()
    await expect.poll(second.phase).toBe('running')
    await pay()
    await untilEqual(rows, alice)
    await expect.poll(first.phase).toBe('stand-by')
    expect(first.reconnects()).toBeGreaterThan(0)
  })

  it('continues after the server was killed, and its consumers do', async () => {
    const running = start()
    const rows = consume()
    await untilEqual(rows, alice)
    await server.restart()
    await pay()
    await untilEqual(rows, alice)
    expect(running.reconnects()).toBeGreaterThan(0)
  })

  it('stops where another instance has delivered, without a trace in what consumers see', async () => {
    const running = start()
    const rows = consume()
    await untilEqual(rows, alice)
    await connection.request('chain.simnet.other', 'of another program', { timeout: 10_000 })
    await pay()
    await expect(running.done).rejects.toMatchObject({ code: 'taken-over' })
    expect(running.phase()).toBe('stopped')
    start()
    await untilEqual(rows, alice)
  })

  it('refuses a server before 2.10, and a connection that was closed', async () => {
    const old = { info: { version: '2.9.10' }, isClosed: () => false, flush: () => Promise.resolve() }
    await expect(start({ through: old }).done).rejects.toMatchObject({
      code: 'unsupported',
      message: 'NATS server 2.9.10 is not supported',
      hint: 'Use NATS server 2.10 or later.',
    })
    const closed = await server.connect()
    await closed.close()
    await expect(start({ through: closed }).done).rejects.toMatchObject({ code: 'disposed' })
  })

  it('creates the stream with its settings, and refuses one that loses messages', async () => {
    const running = start()
    await expect.poll(running.phase).toBe('running')
    const { config } = await server.manager.streams.info('chain-simnet')
    expect(config).toMatchObject({
      subjects: ['chain.simnet.>'],
      retention: 'limits',
      storage: 'file',
      discard: 'new',
      max_age: 0,
      ...(hasAtomicBatches ? { allow_atomic: true } : {}),
    })
    await running.stop()
    await server.manager.streams.update('chain-simnet', { max_msgs_per_subject: 5 })
    await expect(start().done).rejects.toMatchObject({
      code: 'unsupported',
      message: 'The stream "chain-simnet" keeps few messages of an address',
    })
  })
})

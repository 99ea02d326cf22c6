import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { consumeTransfers } from '../../../src/feed/consumer/consume-transfers.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import { createJetStreamSink } from '../../../src/feed/jetstream/create-jetstream-sink.js'
import { streamOf } from '../../../src/feed/jetstream/ensure-stream.js'
import { FULL } from '../../full.js'
import { ConsumedRows } from '../support/consumed-rows.js'
import { startNatsCluster, type NatsCluster } from '../support/nats-cluster.js'
import { hasNats } from '../support/nats-server.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS

// a new leader is elected after seconds
describe.skipIf(!hasNats || !FULL)('a cluster of three NATS servers (npm run test:full)', () => {
  let cluster: NatsCluster
  let devnode: Devnode
  let engine: ChainEngine

  beforeAll(async () => {
    cluster = await startNatsCluster()
    devnode = await createDevnode({ blockInterval: 0, accounts: 1, balance: BALANCE })
    engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
    await engine.connection.connect()
  })

  afterAll(async () => {
    await engine.dispose()
    await devnode.close()
    await Promise.all(cluster.map((server) => server.stop()))
  })

  it('stores every transfer once while its servers are killed in turn, the leader of the stream among them', async () => {
    const { address } = devnode.accounts[0]!
    const servers = cluster.map(({ port }) => `127.0.0.1:${port}`)
    const options = { servers, pingInterval: 500, maxPingOut: 2 }
    const [producer, reader] = [
      await cluster[0]!.connect(undefined, options),
      await cluster[0]!.connect(undefined, options),
    ]
    const controller = new AbortController()
    const { signal } = controller
    const sink = createJetStreamSink({ connection: producer, replicas: 3, leaseTimeout: 2_000, timeout: 5_000 })
    const feed = createFeed({ engine, watch: [address], minConfirmations: 0, sink })
    const rows = new ConsumedRows()
    const consume = async (): Promise<void> => {
      for await (const batch of consumeTransfers(reader, { network: 'simnet', signal })) rows.apply(batch)
    }
    const done = [feed.run({ signal }), consume()]
    const untilEqual = () =>
      expect.poll(() => [[...rows.watched], rows.faults(devnode, BALANCE)]).toEqual([[address], []])
    await untilEqual()
    const leaders = new Set<string>()
    for (const [index, server] of cluster.entries()) {
      const other = cluster[(index + 1) % cluster.length]!
      await expect
        .poll(async () => {
          const info = await other.manager.streams.info(streamOf('simnet')).catch(() => undefined)
          const copies = info?.cluster?.replicas?.filter((replica) => replica.current).length
          return [info?.cluster?.leader !== undefined, copies]
        })
        .toEqual([true, 2]) // all copies are whole again: with two servers missing nothing could be stored
      const { cluster: state } = await other.manager.streams.info(streamOf('simnet'))
      leaders.add(state?.leader ?? '')
      const victim = cluster.find((_, at) => `server-${at}` === state?.leader) ?? server
      await devnode.fund(address, KAS)
      const restarted = victim.restart()
      await devnode.fund(address, KAS)
      await devnode.mine(2)
      await restarted
      await untilEqual()
    }
    expect(leaders.size).toBeGreaterThan(1)
    controller.abort()
    await Promise.all(done)
    expect((await cluster[0]!.manager.streams.info(streamOf('simnet'))).config.num_replicas).toBe(3)
  })
})

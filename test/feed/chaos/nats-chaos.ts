import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { consumeTransfers } from '../../../src/feed/consumer/consume-transfers.js'
import { streamOf } from '../../../src/feed/jetstream/ensure-stream.js'
import { ConsumedRows } from '../support/consumed-rows.js'
import { startNats, type NatsServer } from '../support/nats-server.js'
import { createProxy } from '../support/proxy.js'
import { causeFaults, pause } from './cause-faults.js'
import { keepRunning } from './instances.js'
import { NATS_FAULTS, type NatsVictims } from './nats-faults.js'
import { createPayer } from './payer.js'
import { createRandom } from './random.js'
import { startReader } from './reader.js'
import type { ChaosResult } from './result.js'
import { until } from './until.js'

const BALANCE = 100_000_000_000n
const INSTANCES = 3

export interface NatsChaosOptions {
  readonly faults: number
  readonly seed: number
  /** Whether the stream takes atomic batches. */
  readonly isAtomic: boolean
}

/**
 * Causes faults while several instances deliver into JetStream, then lets all settle and compares what consumers have
 * with the node.
 */
export async function runNatsChaos({ faults, seed, isAtomic }: NatsChaosOptions): Promise<ChaosResult> {
  const random = createRandom(seed)
  const server = await startNats()
  if (!isAtomic) await createChainedStream(server)
  const devnode = await createDevnode({ blockInterval: 0, accounts: 4, balance: BALANCE, seed })
  const toNode = await createProxy(Number(new URL(devnode.urls.borsh).port))
  const [toServer, readerToServer] = [await createProxy(server.port), await createProxy(server.port)]
  const all = devnode.accounts.map(({ address }) => address)
  let watched: readonly string[] = all.slice(0, 2)
  const instances = keepRunning(INSTANCES, () =>
    [
      ['--network', 'simnet', '--confirmations', '0', '--port', '0', '--lease-timeout', '500'],
      ['--url', `ws://127.0.0.1:${toNode.port}`, '--nats', `nats://127.0.0.1:${toServer.port}`],
      ['--addresses', watched.join(',')],
    ].flat(),
  )
  const reader = await startReader(() => server.connect(readerToServer.port, { pingInterval: 500, maxPingOut: 2 }))
  const payer = await createPayer(devnode)
  const watch = (addresses: readonly string[]): void => void (watched = addresses)
  const parts = { devnode, server, toServer, readerToServer, toNode, reader, all, watch, random, pause }
  const victims: NatsVictims = { ...parts, instances: instances.running }
  try {
    await until(() => Promise.resolve(reader.rows().rows.size > 0))
    const counts = await causeFaults(NATS_FAULTS, victims, payer, faults)
    for (const proxy of [toServer, readerToServer]) proxy.cut() // frozen connections end
    for (const instance of instances.running) instance.signal('SIGKILL') // the next ones watch the last addresses
    const differences = await settle(
      devnode,
      () => watched,
      () => reader.rows(),
    )
    const printed = differences.length === 0 ? [] : instances.running.map((one) => one.output().slice(-2_000))
    const late = await readAll(server, reader.rows().batches)
    const failures = [...instances.failures, ...reader.failures()]
    return {
      counts,
      differences: [...differences, ...late.faults(devnode, BALANCE), ...printed],
      failures,
      rows: late.rows.size,
    }
  } finally {
    await reader.end()
    await instances.end()
    await payer.close()
    await Promise.all([toServer, readerToServer, toNode].map((proxy) => proxy.close()))
    await devnode.close()
    await server.stop()
  }
}

/** As on a server before 2.12. */
const createChainedStream = (server: NatsServer) =>
  server.manager.streams.add({ name: streamOf('simnet'), subjects: ['chain.simnet.>'], allow_direct: true })

/** Mines until consumers have what the node has. */
async function settle(
  devnode: Devnode,
  watched: () => readonly string[],
  rows: () => ConsumedRows,
): Promise<readonly string[]> {
  let differences: readonly string[] = ['nothing was compared']
  const isEqual = async (): Promise<boolean> => {
    await devnode.mine()
    const missing = watched().filter((address) => !rows().watched.has(address))
    const unwanted = [...rows().watched].filter((address) => !watched().includes(address))
    differences = [
      ...missing.map((address) => `${address} is not watched`),
      ...unwanted.map((address) => `${address} is watched`),
      ...rows().faults(devnode, BALANCE),
    ]
    return differences.length === 0
  }
  await until(isEqual).catch(() => undefined) // the differences say it
  return differences
}

/** What a consumer has that begins now, after as many batches as another one has read. */
async function readAll(server: NatsServer, batches: number): Promise<ConsumedRows> {
  const rows = new ConsumedRows()
  for await (const batch of consumeTransfers(await server.connect(), { network: 'simnet' })) {
    rows.apply(batch)
    if (rows.batches === batches) break
  }
  return rows
}

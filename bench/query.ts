import { once } from 'node:events'
import WebSocket from 'ws'
import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { connectSdk } from './wire/clients.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'

const CALLS = 10_000
/** Calls of each side in a batch: short enough that load on the machine affects all sides. */
const BATCH = 500

/** Sequential queries through an engine, in processor time of the client: the server is another process. */
export async function run(): Promise<BenchRow[]> {
  const codec = createBorshCodec()
  const server = await startStubServer(codec, { responses: HANDSHAKE_RESPONSES })
  const engine = await connectEngine(server.url)
  const sdk = await connectSdk(server.url, 'Borsh')
  const bare = await connectBare(server.url)
  const request = codec.encodeRequest(1n, 'getServerInfo', {})

  const costs = await measureInterleaved({
    ours: () => engine.rpc.getServerInfo(),
    sdk: () => sdk.getServerInfo(),
    bare: () => bare.echo(request),
  })
  await engine.dispose()
  server.close()
  return [
    toRow('RpcClient of the SDK', costs.ours, costs.sdk, 0.7),
    toRow('a bare WebSocket echo of the same bytes', costs.ours, costs.bare, 1.3),
  ]
}

async function connectEngine(url: string): Promise<ChainEngine> {
  const engine = createChainEngine({ network: 'testnet-10', url })
  await engine.connection.connect()
  return engine
}

/** Median cost of a call of each side, µs; the first batches are a warm-up. */
async function measureInterleaved<Side extends string>(
  calls: Readonly<Record<Side, () => Promise<unknown>>>,
): Promise<Record<Side, number>> {
  const sides = Object.keys(calls) as Side[]
  const costs = new Map(sides.map((side) => [side, [] as number[]]))
  for (let done = -CALLS / 2; done < CALLS; done += BATCH) {
    for (const side of sides) {
      const cost = await costOf(calls[side])
      if (done >= 0) costs.get(side)?.push(cost)
    }
  }
  return Object.fromEntries(sides.map((side) => [side, median(costs.get(side) ?? [])])) as Record<Side, number>
}

/** Processor time of this process for one call, µs. */
async function costOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let left = BATCH; left > 0; left--) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / BATCH
}

/** A bare socket: sends bytes and waits for bytes. */
async function connectBare(url: string): Promise<{ echo(bytes: string | Uint8Array): Promise<unknown> }> {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  socket.binaryType = 'arraybuffer'
  await once(socket, 'open')
  return {
    echo: (bytes) =>
      new Promise((resolve) => {
        socket.onmessage = resolve
        socket.send(bytes)
      }),
  }
}

function toRow(against: string, ours: number, theirs: number, goal: number): BenchRow {
  return {
    what: `${CALLS} getServerInfo through the engine, processor time`,
    against,
    ratio: ours / theirs,
    goal: `≤ ${goal} ×`,
    met: ours / theirs <= goal,
    detail: `${ours.toFixed(1)} against ${theirs.toFixed(1)} µs a call`,
  }
}

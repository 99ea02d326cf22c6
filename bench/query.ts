import { once } from 'node:events'
import { firstValueFrom } from 'rxjs'
import WebSocket from 'ws'
import type { RpcResponse } from '../src/node/messages/records.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { connectOurs, connectSdk } from './wire/clients.js'
import { startScratchServer } from './wire/scratch-server.js'

const CALLS = 10_000
const ROUNDS = 5

const SERVER_INFO: RpcResponse<'getServerInfo'> = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'testnet-10',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 90_000_123n,
}

/** One query after the other, in processor time of the asking side: the server is another process. */
export async function run(): Promise<BenchRow[]> {
  const codec = createBorshCodec()
  const server = await startScratchServer(codec, { answers: { getServerInfo: SERVER_INFO } })
  const ours = await connectOurs(server.url, 'Borsh')
  const sdk = await connectSdk(server.url, 'Borsh')
  const bare = await connectBare(server.url)
  const request = codec.encodeRequest(1n, 'getServerInfo', {})

  const costs = { ours: [] as number[], sdk: [] as number[], bare: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.bare.push(await costOf(() => bare.echo(request)))
    costs.sdk.push(await costOf(() => sdk.getServerInfo()))
    costs.ours.push(await costOf(() => firstValueFrom(ours.call('getServerInfo', {}))))
  }
  server.close()
  const ask = median(costs.ours)
  return [
    toRow('RpcClient of the SDK', ask, median(costs.sdk), 0.7),
    toRow('a bare WebSocket echo of the same bytes', ask, median(costs.bare), 1.3),
  ]
}

/** Processor time of this process for one call, µs. */
async function costOf(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let left = CALLS; left > 0; left--) await call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

/** A socket and nothing else: sends bytes, and waits for bytes. */
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
    what: `${CALLS} getServerInfo, processor time`,
    against,
    ratio: ours / theirs,
    goal: `≤ ${goal} ×`,
    met: ours / theirs <= goal,
    detail: `${ours.toFixed(1)} against ${theirs.toFixed(1)} µs a call`,
  }
}

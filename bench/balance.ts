import { filter, firstValueFrom } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import type { RpcEncoding } from '../src/model/network.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { WireCodec } from '../src/wrpc/codec.js'
import { createJsonCodec } from '../src/wrpc/json/codec.js'
import { runInChildProcess } from './lib/child-process.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { connectSdk, readWalletFields } from './wire/clients.js'
import { addressesOf, utxos } from './wire/utxos.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'

const COUNT = 100_000
const ROUNDS = 3

/** Cost of one run, from the socket to the balance. */
interface Cost {
  /** Processor time, ms. */
  readonly cpu: number
  /** Ms that passed. */
  readonly wall: number
  /** Peak increase of the resident memory, MiB. */
  readonly peak: number
}

/** 100,000 UTXOs, from the socket to a balance, each client in its own process. */
export const run = async (): Promise<BenchRow[]> => [
  ...(await measure(createBorshCodec(), 1, 0.35)),
  ...(await measure(createBorshCodec(), 100, 0.35)),
  ...(await measure(createJsonCodec(), 1, 0.12)),
]

async function measure(codec: WireCodec, addresses: number, cpuGoal: number): Promise<BenchRow[]> {
  const entries = utxos(COUNT, addresses)
  const server = await startStubServer(codec, {
    responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries } },
  })
  const task = { module: import.meta.url, args: [server.url, codec.encoding, addressesOf(entries)] }
  const costs = { ours: [] as Cost[], sdk: [] as Cost[] }
  for (let round = 0; round < ROUNDS; round++) {
    costs.ours.push(await runInChildProcess<Cost>({ ...task, name: 'ours' }))
    costs.sdk.push(await runInChildProcess<Cost>({ ...task, name: 'sdk' }))
  }
  server.close()
  const row = (what: string, part: keyof Cost, unit: string, goal: number): BenchRow =>
    toRow(
      `${COUNT} UTXOs of ${addresses === 1 ? 'one address' : `${addresses} addresses`}: ${what}, ${codec.encoding}`,
      costs,
      part,
      unit,
      goal,
    )
  return [
    row('processor time', 'cpu', 'ms', cpuGoal),
    row('time', 'wall', 'ms', 0.6),
    row('peak memory', 'peak', 'MiB', 0.45),
  ]
}

/** An engine's UTXO tracker, from the first subscriber to the balance. */
export async function ours(url: string, encoding: RpcEncoding, addresses: readonly string[]): Promise<Cost> {
  const engine = createChainEngine({ network: 'testnet-10', url, encoding })
  await engine.connection.connect()
  return costOf(async () => {
    const read$ = engine.utxos(addresses).state$.pipe(filter(({ freshness }) => freshness === 'fresh'))
    const { balance } = await firstValueFrom(read$)
    return balance.mature + balance.pending
  })
}

/** The SDK's RpcClient, from the request to the sum of its entries. */
export async function sdk(url: string, encoding: RpcEncoding, addresses: readonly string[]): Promise<Cost> {
  const client = await connectSdk(url, encoding)
  return costOf(async () => {
    const { entries } = await client.getUtxosByAddresses(addresses)
    return readWalletFields(entries).reduce((sum, { amount }) => sum + amount, 0n)
  })
}

async function costOf(work: () => Promise<bigint>): Promise<Cost> {
  globalThis.gc?.()
  const memory = process.memoryUsage.rss()
  const before = process.cpuUsage()
  const start = performance.now()
  if ((await work()) !== TOTAL) throw new Error('The balance is wrong')
  const wall = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { cpu: (user + system) / 1000, wall, peak: process.resourceUsage().maxRSS / 1024 - memory / 2 ** 20 }
}

/** Sum of all amounts: the first is 1 KAS, each further one 7,919 sompi more. */
const TOTAL = BigInt(COUNT) * 100_000_000n + (7_919n * BigInt(COUNT) * BigInt(COUNT - 1)) / 2n

function toRow(
  what: string,
  { ours, sdk }: Readonly<Record<'ours' | 'sdk', readonly Cost[]>>,
  part: keyof Cost,
  unit: string,
  goal: number,
): BenchRow {
  const [own, their] = [median(ours.map((cost) => cost[part])), median(sdk.map((cost) => cost[part]))]
  return {
    what: `${what}, from the socket to a balance`,
    against: 'RpcClient of the SDK: outpoint, amount, DAA score and isCoinbase read',
    ratio: own / their,
    goal: `≤ ${goal} ×`,
    met: own / their <= goal,
    detail: `${own.toFixed(0)} against ${their.toFixed(0)} ${unit}, median of ${ROUNDS}, each in its own process`,
  }
}

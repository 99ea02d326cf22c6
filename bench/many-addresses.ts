import { setImmediate } from 'node:timers/promises'
import { Subject, filter, firstValueFrom, scan, startWith } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import { encodeAddress } from '../src/model/address.js'
import { groupByAddress } from '../src/streams/utxos/store/delta.js'
import { startWireNode } from '../test/wire-node.js'
import { runInChildProcess } from './lib/child-process.js'
import { browserMissing } from './lib/chromium.js'
import { traceUtxoLoad } from './lib/load-utxos.js'
import { median } from './lib/median.js'
import { timeChanges } from './lib/tracked-addresses.js'
import { limited } from './lib/limited.js'
import type { BenchRow } from './row.js'
import { connectSdk, readWalletFields } from './wire/clients.js'
import { FEE_ESTIMATE, HANDSHAKE_RESPONDERS } from './wire/handshake.js'
import { addressesOf, utxos } from './wire/utxos.js'

const ADDRESSES = 10_000
const PER_ADDRESS = 100
const COUNT = ADDRESSES * PER_ADDRESS
/** Addresses of a request: a longer response would exceed what the SDK's socket accepts under Node. */
const PER_REQUEST = 250
const ADDITIONS = 15
const BYTES_LIMIT = 260
const TASK_LIMIT = 50
/** A frame of a display. */
const FRAME = 16

/** Cost of tracking all addresses. */
interface Cost {
  /** Processor time until the balance, ms. */
  readonly cpu: number
  /** Heap and buffers that a tracked entry takes, bytes. */
  readonly bytes: number
  /** Processor time from adding one address to the state that has its entries, ms. */
  readonly addition: number
}

/** A million UTXOs of ten thousand addresses, as an exchange or a service has them. */
export async function run(): Promise<BenchRow[]> {
  const entries = utxos(COUNT, ADDRESSES)
  const byAddress = groupByAddress({ removed: [], added: entries })
  const node = await startWireNode('Borsh', {
    ...HANDSHAKE_RESPONDERS,
    getFeeEstimate: () => FEE_ESTIMATE,
    getUtxosByAddresses: ({ addresses }) => ({
      entries: addresses.flatMap((address) => byAddress.get(address)?.added ?? []),
    }),
  })
  const args = [node.url(), addressesOf(entries)]
  const cost = await runInChildProcess<Cost>({ module: import.meta.url, name: 'ours', args })
  const sdkCpu = await runInChildProcess<number>({ module: import.meta.url, name: 'sdk', args })
  const rows = [...toRows(cost, sdkCpu), await longestTask(node.url(), addressesOf(entries)), ...(await changeRows())]
  await node.close()
  return rows
}

function toRows({ cpu, bytes, addition }: Cost, sdk: number): BenchRow[] {
  return [
    {
      what: `${COUNT} UTXOs of ${ADDRESSES} addresses from the socket to a balance, processor time`,
      against: `RpcClient of the SDK, ${PER_REQUEST} addresses a request: outpoint, amount, DAA score and isCoinbase read`,
      ratio: cpu / sdk,
      goal: '≤ 0.6 ×',
      met: cpu / sdk <= 0.6,
      detail: `${cpu.toFixed(0)} against ${sdk.toFixed(0)} ms, each in its own process`,
    },
    limited(`heap and buffers of an entry among ${COUNT} of ${ADDRESSES} addresses`, bytes, BYTES_LIMIT, 'bytes'),
    limited(
      `add an address with ${PER_ADDRESS} UTXOs to ${ADDRESSES}, from the address to a balance, processor time`,
      addition,
      TASK_LIMIT,
      'ms',
    ),
  ]
}

/** An engine's UTXO tracker, from the first subscriber to the balance; then addresses are added one at a time. */
export async function ours(url: string, addresses: readonly string[]): Promise<Cost> {
  const engine = createChainEngine({ network: 'testnet-10', url })
  await engine.connection.connect()
  const added$ = new Subject<string>()
  const { state$ } = engine.utxos(
    added$.pipe(
      scan((all, one) => [...all, one], addresses),
      startWith(addresses),
    ),
  )
  const before = memory()
  const start = process.cpuUsage()
  state$.subscribe()
  const untilFresh = (count: number): Promise<unknown> =>
    firstValueFrom(state$.pipe(filter((state) => state.freshness === 'fresh' && state.addresses.length === count)))
  await untilFresh(ADDRESSES)
  const cpu = since(start)
  for (let turns = 0; turns < 5; turns++) {
    await setImmediate() // buffers are freed some turns after their collection
    globalThis.gc?.()
  }
  const bytes = (memory() - before) / COUNT
  const additions: number[] = []
  for (let count = 1; count <= ADDITIONS; count++) {
    const from = process.cpuUsage()
    added$.next(encodeAddress('kaspatest', 'PubKey', new Uint8Array(32).fill(count)))
    await untilFresh(ADDRESSES + count)
    additions.push(since(from))
  }
  return { cpu, bytes, addition: median(additions) }
}

/** The SDK's RpcClient: processor time from the first request to the sum of all entries, ms. */
export async function sdk(url: string, addresses: readonly string[]): Promise<number> {
  const client = await connectSdk(url, 'Borsh')
  globalThis.gc?.()
  const start = process.cpuUsage()
  const kept: unknown[] = []
  for (let first = 0; first < addresses.length; first += PER_REQUEST) {
    const { entries } = await client.getUtxosByAddresses(addresses.slice(first, first + PER_REQUEST))
    kept.push(readWalletFields(entries))
  }
  return since(start)
}

/** Processor time, ms. */
function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

/** Memory of JavaScript and its buffers, bytes. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function longestTask(url: string, addresses: readonly string[]): Promise<BenchRow> {
  const what = `longest task of a page that loads ${COUNT} UTXOs of ${ADDRESSES} addresses, processor time`
  const missing = browserMissing()
  if (missing !== undefined) return limited(what, NaN, TASK_LIMIT, 'ms', `; ${missing}`)
  const { delivery, longestAfterDelivery } = await traceUtxoLoad(url, addresses)
  const more = `, besides the tasks in which Chromium delivers a frame of 3.7 MB, ${delivery.toFixed(0)} ms at most`
  return limited(what, longestAfterDelivery, TASK_LIMIT, 'ms', more)
}

/** Changes of 100 entries, each of another address. */
async function changeRows(): Promise<BenchRow[]> {
  const few = await runInChildProcess<ChangeTimes>({ module: import.meta.url, name: 'timeChanges', args: [100, 100] })
  const many = await runInChildProcess<ChangeTimes>({
    module: import.meta.url,
    name: 'timeChanges',
    args: [ADDRESSES, PER_ADDRESS],
  })
  const ratio = many.state / few.state
  return [
    {
      what: `one change of 100 entries of as many addresses, among ${COUNT} of ${ADDRESSES} addresses`,
      against: 'the same among 10000 of 100 addresses',
      ratio,
      goal: '≤ 1.5 ×, < 1 ms',
      met: ratio <= 1.5 && many.state < 1,
      detail: `${many.state.toFixed(3)} against ${few.state.toFixed(3)} ms`,
    },
    limited(`that change with the balance of each of ${ADDRESSES} addresses`, many.balances, FRAME, 'ms'),
  ]
}

type ChangeTimes = ReturnType<typeof timeChanges>

export { timeChanges }

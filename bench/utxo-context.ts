import { setImmediate } from 'node:timers/promises'
import { filter, firstValueFrom } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { runInChildProcess, sendToParent, type ChildTask } from './lib/child-process.js'
import type { BenchRow } from './row.js'
import { connectSdk, sdkModule } from './wire/clients.js'
import { addressesOf, utxos } from './wire/utxos.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer, type StubServer } from './wire/stub-server.js'

const ENTRIES = 100_000
/** Entries in a change, half of them spent and half of them new. */
const CHANGE = 100
const CHANGES = 200
/** Outputs of one transaction. */
const OUTPUTS = 500
/** Interval of changes, ms: like a node, and long enough to process each change. */
const INTERVAL = 10

/** Cost of tracking the UTXOs of some addresses. */
interface Cost {
  /** Processor time of one change, from the socket to the balance, ms. */
  readonly change: number
  /** Memory taken by the entries, MiB. */
  readonly memory: number
}

/**
 * Changes of 100 entries in a set of 100,000, over a socket: our UTXO tracker against the SDK's, each in its own
 * process.
 */
export async function run(): Promise<BenchRow[]> {
  const entries = bundled(utxos(ENTRIES))
  const args = [addressesOf(entries)]
  const task = { module: import.meta.url, args }
  const own = await measure(await startServer(entries), { ...task, name: 'ours' })
  const their = await measure(await startServer(entries), { ...task, name: 'sdk' })
  return [
    toRow('time of one change of 100 entries in a set of 100,000', own.change, their.change, 'ms', 2),
    toRow('memory of a set of 100,000', own.memory, their.memory, 'MiB', 0),
  ]
}

/**
 * The UTXOs as outputs of few transactions: the SDK requests the time of each transaction, which is not measured here.
 */
const bundled = (entries: readonly UtxoEntry[]): UtxoEntry[] =>
  entries.map((entry, at) => {
    const { outpoint } = entries[at - (at % OUTPUTS)] ?? entry
    return { ...entry, outpoint: { ...outpoint, index: at % OUTPUTS } }
  })

/** A node with two alternating notifications: the second reverses the first. */
function startServer(entries: readonly UtxoEntry[]): Promise<StubServer> {
  const spent = entries.slice(0, CHANGE / 2)
  const fresh = bundled(utxos(ENTRIES + CHANGE)).slice(-CHANGE / 2)
  return startStubServer(createBorshCodec(), {
    responses: { ...HANDSHAKE_RESPONSES, getUtxosByAddresses: { entries } },
    notifications: [
      { type: 'utxos-changed', data: { added: fresh, removed: spent } },
      { type: 'utxos-changed', data: { added: spent, removed: fresh } },
    ],
  })
}

/** One client at its own server, which sends changes once the client is ready. */
async function measure(server: StubServer, task: ChildTask): Promise<Cost> {
  const onMessage = (): void => server.stream(INTERVAL)
  const cost = await runInChildProcess<Cost>({ ...task, args: [server.url, ...task.args], onMessage })
  server.close()
  return cost
}

/** The engine's UTXO tracker with a subscriber. */
export async function ours(url: string, addresses: readonly string[]): Promise<Cost> {
  const engine = createChainEngine({ network: 'testnet-10', url })
  await engine.connection.connect()
  const { state$ } = engine.utxos(addresses)
  return costOf(
    async () => {
      state$.subscribe()
      await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
    },
    (onChange) => void engine.events$('utxos-changed').subscribe(onChange),
  )
}

/** The SDK's UtxoContext with a handler of its balance. */
export async function sdk(url: string, addresses: readonly string[]): Promise<Cost> {
  const rpc = await connectSdk(url, 'Borsh')
  const { UtxoProcessor, UtxoContext } = sdkModule()
  const processor = new UtxoProcessor({ rpc, networkId: 'testnet-10' })
  let onBalance: () => void = () => undefined
  processor.addEventListener('balance', () => onBalance())
  await processor.start()
  const context = new UtxoContext({ processor })
  return costOf(
    () => context.trackAddresses(addresses),
    (onChange) => {
      onBalance = onChange
    },
  )
}

async function costOf(track: () => Promise<void>, subscribe: (onChange: () => void) => void): Promise<Cost> {
  const before = memory()
  await track()
  await setImmediate() // the socket still references the frame when the promise settles
  const after = memory()
  return { memory: (after - before) / 2 ** 20, change: await costOfChanges(subscribe) }
}

/** The first changes are a warm-up. */
async function costOfChanges(subscribe: (onChange: () => void) => void): Promise<number> {
  const waitForChanges = createChangeWaiter(subscribe)
  sendToParent('ready')
  await waitForChanges(1 + CHANGES / 10)
  const before = process.cpuUsage()
  await waitForChanges(CHANGES)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CHANGES
}

/** Returns a function that waits for the next `count` changes. */
function createChangeWaiter(subscribe: (onChange: () => void) => void): (count: number) => Promise<void> {
  let left = Infinity
  let done: () => void = () => undefined
  subscribe(() => {
    if (--left === 0) done()
  })
  return (count) =>
    new Promise((resolve) => {
      left = count
      done = resolve
    })
}

/** Memory of JavaScript and WASM, bytes. */
function memory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function toRow(what: string, own: number, their: number, unit: string, digits: number): BenchRow {
  return {
    what,
    against: 'UtxoContext of the SDK, same addresses',
    ratio: own / their,
    goal: '≤ 0.5 ×',
    met: own / their <= 0.5,
    detail: `${own.toFixed(digits)} against ${their.toFixed(digits)} ${unit}, each in its own process`,
  }
}

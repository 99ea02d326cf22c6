import { setImmediate } from 'node:timers/promises'
import { filter, firstValueFrom } from 'rxjs'
import { createChainEngine } from '../src/engine/engine.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { apart, tellParent, type Errand } from './lib/apart.js'
import type { BenchRow } from './row.js'
import { connectSdk, sdkModule } from './wire/clients.js'
import { addressesOf, coins } from './wire/coins.js'
import { GREETING } from './wire/greeting.js'
import { startScratchServer, type ScratchServer } from './wire/scratch-server.js'

const HELD = 100_000
/** Entries in a change, half of them spent and half of them new. */
const CHANGE = 100
const CHANGES = 200
/** Of one transaction. */
const OUTPUTS = 500
/** Between two changes, ms: as a node tells of them, and time enough to have shown the one before. */
const INTERVAL = 10

/** What it costs to know what some addresses hold. */
interface Cost {
  /** Processor time of one change, from the socket to the balance, ms. */
  readonly change: number
  /** Memory taken by the entries, MiB. */
  readonly memory: number
}

/** Changes of 100 entries in a set of 100,000, over a socket: our ledger against the SDK's own, each in its own process. */
export async function run(): Promise<BenchRow[]> {
  const entries = bundled(coins(HELD))
  const args = [addressesOf(entries)]
  const errand = { module: import.meta.url, args }
  const own = await visit(await startServer(entries), { ...errand, name: 'ours' })
  const their = await visit(await startServer(entries), { ...errand, name: 'sdk' })
  return [
    toRow('time of one change of 100 entries on a ledger of 100,000', own.change, their.change, 'ms', 2),
    toRow('memory of a ledger of 100,000', own.memory, their.memory, 'MiB', 0),
  ]
}

/** The coins as outputs of few transactions: the SDK asks the node when each transaction was, which is not what is measured. */
const bundled = (entries: readonly UtxoEntry[]): UtxoEntry[] =>
  entries.map((entry, at) => {
    const { outpoint } = entries[at - (at % OUTPUTS)] ?? entry
    return { ...entry, outpoint: { ...outpoint, index: at % OUTPUTS } }
  })

/** A node whose two notifications take turns: what the one brings the other takes away. */
function startServer(entries: readonly UtxoEntry[]): Promise<ScratchServer> {
  const spent = entries.slice(0, CHANGE / 2)
  const fresh = bundled(coins(HELD + CHANGE)).slice(-CHANGE / 2)
  return startScratchServer(createBorshCodec(), {
    answers: { ...GREETING, getUtxosByAddresses: { entries } },
    notifications: [
      { type: 'utxos-changed', data: { added: fresh, removed: spent } },
      { type: 'utxos-changed', data: { added: spent, removed: fresh } },
    ],
  })
}

/** One client at a server of its own, which begins to tell of changes once the client is ready. */
async function visit(server: ScratchServer, errand: Errand): Promise<Cost> {
  const onWord = (): void => server.stream(INTERVAL)
  const cost = await apart<Cost>({ ...errand, args: [server.url, ...errand.args], onWord })
  server.close()
  return cost
}

/** The engine's ledger, with someone who looks at each state. */
export async function ours(url: string, addresses: readonly string[]): Promise<Cost> {
  const engine = createChainEngine({ network: 'testnet-10', url })
  await engine.connection.connect()
  const { state$ } = engine.utxos(addresses)
  return costOf(
    async () => {
      state$.subscribe()
      await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
    },
    (heard) => void engine.events$('utxos-changed').subscribe(heard),
  )
}

/** The SDK's UtxoContext, with someone who listens to its balance. */
export async function sdk(url: string, addresses: readonly string[]): Promise<Cost> {
  const rpc = await connectSdk(url, 'Borsh')
  const { UtxoProcessor, UtxoContext } = sdkModule()
  const processor = new UtxoProcessor({ rpc, networkId: 'testnet-10' })
  let told: () => void = () => undefined
  processor.addEventListener('balance', () => told())
  await processor.start()
  const context = new UtxoContext({ processor })
  return costOf(
    () => context.trackAddresses(addresses),
    (heard) => {
      told = heard
    },
  )
}

async function costOf(track: () => Promise<void>, listen: (heard: () => void) => void): Promise<Cost> {
  const before = memory()
  await track()
  await setImmediate() // a promise settles while the socket still holds the frame that settled it
  const after = memory()
  return { memory: (after - before) / 2 ** 20, change: await costOfChanges(listen) }
}

/** The first change warms, and is left out. */
async function costOfChanges(listen: (heard: () => void) => void): Promise<number> {
  const changes = hearing(listen)
  tellParent('ready')
  await changes(1 + CHANGES / 10)
  const before = process.cpuUsage()
  await changes(CHANGES)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / CHANGES
}

/** Waits for so many changes from now on. */
function hearing(listen: (heard: () => void) => void): (count: number) => Promise<void> {
  let left = Infinity
  let done: () => void = () => undefined
  listen(() => {
    if (--left === 0) done()
  })
  return (count) =>
    new Promise((resolve) => {
      left = count
      done = resolve
    })
}

/** What is held in JavaScript and in WASM. */
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
    detail: `${own.toFixed(digits)} against ${their.toFixed(digits)} ${unit}, each in a process of its own`,
  }
}

import { firstValueFrom } from 'rxjs'
import type { RpcEncoding } from '../src/model/network.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { WireCodec } from '../src/wrpc/codec.js'
import { createJsonCodec } from '../src/wrpc/json/codec.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { arrival, connectOurs, connectSdk, readSdkEntries } from './wire/clients.js'
import { addressesOf, coins, readAll } from './wire/coins.js'
import { startScratchServer, type ScratchServer } from './wire/scratch-server.js'

/** What of the SDK's time ours may be at most. */
const GOALS: Readonly<Record<RpcEncoding, number>> = { Borsh: 0.35, SerdeJson: 0.5 }

const NOTIFIED = 10_000
const ANSWERED = 100_000

/** Decoding, against the SDK's RpcClient that reads the same bytes from the same server: from the message to all fields read. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const codec of [createBorshCodec(), createJsonCodec()]) {
    rows.push(await measure(`decode a utxos-changed of ${NOTIFIED} entries`, codec, NOTIFIED, 15, notification))
    rows.push(await measure(`decode an answer of ${ANSWERED} UTXOs`, codec, ANSWERED, 5, answer))
  }
  return rows
}

/** The two sides of a measurement: each receives the entries once, and says how long it took, ms. */
interface Sides {
  ours(): Promise<number>
  sdk(): Promise<number>
}

async function measure(
  what: string,
  codec: WireCodec,
  count: number,
  rounds: number,
  sidesOf: (server: ScratchServer, codec: WireCodec, addresses: string[]) => Promise<Sides>,
): Promise<BenchRow> {
  const entries = coins(count)
  const server = await startScratchServer(codec, {
    answers: { subscribe: { id: 1n }, getUtxosByAddresses: { entries } },
    notifications: [{ type: 'utxos-changed', data: { added: entries, removed: [] } }],
  })
  const sides = await sidesOf(server, codec, addressesOf(entries))
  const times = { ours: [] as number[], sdk: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.sdk.push(await sides.sdk())
    times.ours.push(await sides.ours())
  }
  server.close()
  return toRow(`${what}, ${codec.encoding}`, median(times.ours), median(times.sdk), GOALS[codec.encoding], count)
}

/** Both are told by a notification. */
async function notification(server: ScratchServer, { encoding }: WireCodec, addresses: string[]): Promise<Sides> {
  const ours = await connectOurs(server.url, encoding)
  const sdk = await connectSdk(server.url, encoding)
  let told: (ms: number) => void = () => undefined
  const next = (who: number): Promise<number> =>
    new Promise((resolve) => {
      told = resolve
      server.notify(who)
    })
  ours.notifications$.subscribe((one) => {
    if (one.type === 'utxos-changed') told(sinceArrival(one.data.added))
  })
  sdk.addEventListener('utxos-changed', ({ data }) => told(sinceArrival(readSdkEntries(data.added))))
  await sdk.subscribeUtxosChanged(addresses)
  await sdk.getUtxosByAddresses([]) // answered in order: by then the subscription stands
  return { ours: () => next(0), sdk: () => next(1) }
}

/** Both ask. */
async function answer(server: ScratchServer, { encoding }: WireCodec, addresses: string[]): Promise<Sides> {
  const ours = await connectOurs(server.url, encoding)
  const sdk = await connectSdk(server.url, encoding)
  return {
    ours: async () => {
      const { entries } = await firstValueFrom(ours.call('getUtxosByAddresses', { addresses }))
      return sinceArrival(entries)
    },
    sdk: async () => {
      const { entries } = await sdk.getUtxosByAddresses(addresses)
      return sinceArrival(readSdkEntries(entries))
    },
  }
}

function sinceArrival(entries: readonly UtxoEntry[]): number {
  readAll(entries)
  return performance.now() - arrival.at
}

function toRow(what: string, ours: number, sdk: number, goal: number, count: number): BenchRow {
  const [each, sdkEach] = [ours, sdk].map((ms) => ((1000 * ms) / count).toFixed(2))
  return {
    what,
    against: 'RpcClient of the SDK, all fields read',
    ratio: ours / sdk,
    goal: `≤ ${goal} ×`,
    met: ours / sdk <= goal,
    detail: `${ours.toFixed(1)} against ${sdk.toFixed(1)} ms; ${each} against ${sdkEach} µs an entry`,
  }
}

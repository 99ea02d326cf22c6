import { firstValueFrom } from 'rxjs'
import type { RpcEncoding } from '../src/model/network.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { WireCodec } from '../src/wrpc/codec.js'
import { createJsonCodec } from '../src/wrpc/json/codec.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { arrival, connectOurs, connectSdk, readSdkEntries } from './wire/clients.js'
import { addressesOf, utxos, readAll } from './wire/utxos.js'
import { startStubServer, type StubServer } from './wire/stub-server.js'

/** Maximum ratio to the SDK's time. */
const GOALS: Readonly<Record<RpcEncoding, number>> = { Borsh: 0.35, SerdeJson: 0.5 }

const NOTIFICATION_ENTRIES = 10_000
const RESPONSE_ENTRIES = 100_000

/** Decoding against the SDK's RpcClient, same bytes from the same server: from the message to all fields read. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = []
  for (const codec of [createBorshCodec(), createJsonCodec()]) {
    rows.push(
      await measure(
        `decode a utxos-changed of ${NOTIFICATION_ENTRIES} entries`,
        codec,
        NOTIFICATION_ENTRIES,
        15,
        notificationSides,
      ),
    )
    rows.push(
      await measure(`decode a response of ${RESPONSE_ENTRIES} UTXOs`, codec, RESPONSE_ENTRIES, 5, responseSides),
    )
  }
  return rows
}

/** The two sides of a measurement: each receives the entries once and resolves to the time in ms. */
interface Sides {
  ours(): Promise<number>
  sdk(): Promise<number>
}

async function measure(
  what: string,
  codec: WireCodec,
  count: number,
  rounds: number,
  sidesOf: (server: StubServer, codec: WireCodec, addresses: string[]) => Promise<Sides>,
): Promise<BenchRow> {
  const entries = utxos(count)
  const server = await startStubServer(codec, {
    responses: { subscribe: { id: 1n }, getUtxosByAddresses: { entries } },
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

/** Both receive a notification. */
async function notificationSides(server: StubServer, { encoding }: WireCodec, addresses: string[]): Promise<Sides> {
  const ours = await connectOurs(server.url, encoding)
  const sdk = await connectSdk(server.url, encoding)
  let resolveNext: (ms: number) => void = () => undefined
  const next = (client: number): Promise<number> =>
    new Promise((resolve) => {
      resolveNext = resolve
      server.notify(client)
    })
  ours.notifications$.subscribe((one) => {
    if (one.type === 'utxos-changed') resolveNext(sinceArrival(one.data.added))
  })
  sdk.addEventListener('utxos-changed', ({ data }) => resolveNext(sinceArrival(readSdkEntries(data.added))))
  await sdk.subscribeUtxosChanged(addresses)
  await sdk.getUtxosByAddresses([]) // responses are in order: the subscription is placed by then
  return { ours: () => next(0), sdk: () => next(1) }
}

/** Both send a request. */
async function responseSides(server: StubServer, { encoding }: WireCodec, addresses: string[]): Promise<Sides> {
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

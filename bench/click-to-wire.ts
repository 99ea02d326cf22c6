import { filter, firstValueFrom } from 'rxjs'
import WebSocket from 'ws'
import { createChainEngine, type ChainEngine } from '../src/engine/engine.js'
import { toScriptPublicKey } from '../src/model/address.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { methods } from '../src/node/messages/methods.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { HANDSHAKE_RESPONSES } from './wire/handshake.js'
import { startStubServer } from './wire/stub-server.js'

const KEY = '33'.repeat(32)
const KAS = 100_000_000n
const UTXOS = 1_000
const WARM_UP = 20
const ROUNDS = 50
const LIMIT = 10

/** A node without load: every bucket has the minimum. */
const FEES = { feerate: 100, estimatedSeconds: 1 }
const ESTIMATE = { estimate: { priorityBucket: FEES, normalBuckets: [FEES], lowBuckets: [FEES] } }

/** From the call of `send()` until its submission is written to the socket. */
export async function run(): Promise<BenchRow[]> {
  const { publicKey, engine: keys } = await keysOf()
  const address = keys.keys.createAddress(publicKey, 'testnet-10')
  await keys.dispose()
  const server = await startStubServer(createBorshCodec(), {
    responses: {
      ...HANDSHAKE_RESPONSES,
      getUtxosByAddresses: { entries: utxosOf(address) },
      getFeeEstimate: ESTIMATE,
      getSink: { sink: 'a'.repeat(64) },
      submitTransaction: { transactionId: '0'.repeat(64) },
    },
  })
  const engine = createChainEngine({ network: 'testnet-10', url: server.url })
  const [times, roundTrips] = await measure(engine, address)
  await engine.dispose()
  server.close()
  return [toRow(times, roundTrips)]
}

/** An engine whose keys are ready, and the public key of the payments. */
async function keysOf(): Promise<{ readonly publicKey: string; readonly engine: ChainEngine }> {
  const engine = createChainEngine({ network: 'testnet-10', url: 'ws://127.0.0.1:1', autoConnect: false })
  await engine.wasm.init()
  return { publicKey: engine.keys.signMessage('bench', KEY).publicKeyHex, engine }
}

function utxosOf(address: string): UtxoEntry[] {
  return Array.from({ length: UTXOS }, (_, number) => ({
    address,
    outpoint: { transactionId: number.toString(16).padStart(64, '0'), index: 0 },
    amount: 10n * KAS + BigInt(number),
    scriptPublicKey: toScriptPublicKey(address),
    blockDaaScore: 1n,
    isCoinbase: false,
    covenantId: undefined,
  }))
}

/** The times of all payments, and of as many calls of the node, ms. */
async function measure(engine: ChainEngine, address: string): Promise<readonly [number[], number[]]> {
  await engine.wasm.init()
  const { state$ } = engine.utxos([address])
  const subscription = state$.subscribe()
  await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  const submissions = observeSubmissions()
  const times: number[] = []
  const roundTrips: number[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const { matureEntries } = await firstValueFrom(state$)
    const from = performance.now()
    await engine.transactions.send({
      entries: matureEntries,
      outputs: [{ address, amount: KAS }],
      changeAddress: address,
      privateKeys: [KEY],
    })
    times.push((submissions.at(-1) ?? NaN) - from)
    const call = performance.now()
    await engine.rpc.getSink()
    roundTrips.push(performance.now() - call)
  }
  subscription.unsubscribe()
  return [times.slice(WARM_UP), roundTrips.slice(WARM_UP)]
}

/** The times at which submissions are written to any socket. */
function observeSubmissions(): number[] {
  const times: number[] = []
  const { send } = WebSocket.prototype
  WebSocket.prototype.send = function (this: WebSocket, ...args: unknown[]) {
    const [data] = args
    if (data instanceof Uint8Array && data[9] === methods.submitTransaction.op) times.push(performance.now())
    Reflect.apply(send, this, args)
  }
  return times
}

function toRow(times: readonly number[], roundTrips: readonly number[]): BenchRow {
  const [wire, roundTrip] = [median([...times]), median([...roundTrips])]
  return {
    what: `send() with ${UTXOS} UTXOs known until its submission is written to the socket`,
    against: 'its limit',
    ratio: wire / LIMIT,
    goal: `≤ ${LIMIT} ms`,
    met: wire <= LIMIT,
    detail: `${wire.toFixed(1)} ms, median of ${ROUNDS}, its one signature included; a call of the node takes ${roundTrip.toFixed(1)}`,
  }
}

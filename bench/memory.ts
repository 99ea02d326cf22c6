import { createCore } from '../src/engine/core.js'
import { joinEngine } from '../src/engine/engine.js'
import { feature } from '../src/engine/feature.js'
import { eventLog } from '../src/engine/features/event-log.js'
import type { NodeNotification } from '../src/node/messages/records.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { BenchRow } from './row.js'
import { bytesOf } from './wire/bytes-of.js'
import { CHAIN_RESPONSES, firstChainBlock, chainBlock } from './wire/chain-blocks.js'
import { addressesOf, utxos } from './wire/utxos.js'
import { createMemorySocket } from './wire/memory-socket.js'

const FEW = 10_000
const MANY = 1_000_000
const LIMIT = 2
/** Distinct chain blocks: more than the engine keeps. */
const BLOCKS = 2_500
/** Accepted transactions of a chain block. */
const IDS = 5

/** The heap of an engine with subscribers on every stream, after many notifications: scores, UTXOs, chain blocks. */
export async function run(): Promise<BenchRow[]> {
  const { receive, close } = await startEngine()
  const frames = framesOf(notifications())
  await deliver(1, framesOf([firstChainBlock]), receive)
  await deliver(FEW, frames, receive)
  const few = heap()
  await deliver(MANY - FEW, frames, receive)
  const more = heap() - few
  const received = await close()
  if (received < 0.9 * (MANY / 100) * IDS) throw new Error(`Only ${received} transactions were received`)
  return [
    {
      what: `heap after ${MANY} notifications`,
      against: `the same after ${FEW}`,
      ratio: (few + more) / few,
      goal: `< ${LIMIT} MB more`,
      met: more < LIMIT,
      detail: `${more.toFixed(2)} MB more than ${few.toFixed(1)} MB`,
    },
  ]
}

interface RunningEngine {
  readonly receive: (frame: Uint8Array<ArrayBuffer>) => void
  /** Disposes of the engine; resolves to the number of accepted transactions received. */
  readonly close: () => Promise<number>
}

/** An engine at an in-memory node, with subscribers on all streams. */
async function startEngine(): Promise<RunningEngine> {
  const { platform, receive } = createMemorySocket({
    getUtxosByAddresses: { entries: INITIAL_UTXOS },
    ...CHAIN_RESPONSES,
  })
  const core = createCore({ network: 'testnet-10', url: 'ws://memory', ports: { platform } })
  const engine = joinEngine(core)
  feature(core, eventLog).state$.subscribe()
  engine.virtualDaaScore$.subscribe()
  engine.utxos(addressesOf(INITIAL_UTXOS)).state$.subscribe()
  let received = 0
  engine.acceptedTransactions$().subscribe(() => received++)
  await engine.connection.connect()
  const close = async (): Promise<number> => {
    await engine.dispose()
    return received
  }
  return { receive, close }
}

/** Yields between batches, so that frames and timers run. */
async function deliver(
  count: number,
  frames: readonly Uint8Array<ArrayBuffer>[],
  receive: (frame: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  for (let delivered = 0; delivered < count; delivered++) {
    receive(frames[delivered % frames.length] ?? new Uint8Array())
    if (delivered % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
}

const INITIAL_UTXOS = utxos(1_000)
const CHANGED_UTXO = utxos(1_001).slice(-1)

/** Of a hundred notifications 98 are scores, one adds or removes a UTXO, and one is a chain block with accepted ids. */
function notifications(): NodeNotification[] {
  const scores = Array.from({ length: 98 }, (_, n) => score(91_000_000n + BigInt(n)))
  return Array.from({ length: BLOCKS }, (_, at) => [...scores, utxo(at), chainBlock(at + 1, IDS)]).flat()
}

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

const utxo = (at: number): NodeNotification => ({
  type: 'utxos-changed',
  data: at % 2 === 0 ? { added: CHANGED_UTXO, removed: [] } : { added: [], removed: CHANGED_UTXO },
})

function framesOf(all: readonly NodeNotification[]): Uint8Array<ArrayBuffer>[] {
  const codec = createBorshCodec()
  const frames = new Map(all.map((one) => [one, bytesOf(codec.encodeNotification(one))]))
  return all.map((one) => frames.get(one) ?? new Uint8Array())
}

/** MB. */
function heap(): number {
  for (let times = 0; times < 3; times++) globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}

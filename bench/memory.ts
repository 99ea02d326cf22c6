import { createParts } from '../src/engine/core.js'
import { joinEngine } from '../src/engine/engine.js'
import { feature } from '../src/engine/core-parts.js'
import { eventLog } from '../src/engine/features/diagnosis.js'
import type { NodeNotification } from '../src/node/messages/records.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { BenchRow } from './row.js'
import { bytesOf } from './wire/bytes-of.js'
import { chainBlock } from './wire/chain-blocks.js'
import { createGrowingChain } from './wire/growing-chain.js'
import { addressesOf, utxos } from './wire/utxos.js'
import { createMemorySocket } from './wire/memory-socket.js'

const FEW = 10_000
const MANY = 1_000_000
const LIMIT = 2
/** Distinct chain blocks: more than the engine keeps. */
const BLOCKS = 2_500
/** Accepted transactions of a chain block. */
const IDS = 5
/** The notifications of a round, of which the last is a chain block. */
const ROUND = 100

/** The heap of an engine with subscribers on every stream, after many notifications: scores, UTXOs, chain blocks. */
export async function run(): Promise<BenchRow[]> {
  const engine = await startEngine()
  const frames = framesOf(notifications())
  await deliver(FEW, frames, engine)
  const few = heap()
  await deliver(MANY - FEW, frames, engine)
  const more = heap() - few
  await engine.dispose()
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
  /** Adds a chain block to those of the node. */
  readonly grow: () => void
  /** Resolves once the transactions of all chain blocks were received. */
  readonly allReceived: () => Promise<void>
  readonly dispose: () => Promise<void>
}

/** An engine at an in-memory node, with subscribers on all streams. */
async function startEngine(): Promise<RunningEngine> {
  const chain = createGrowingChain(IDS)
  const { platform, receive } = createMemorySocket({
    getUtxosByAddresses: () => ({ entries: INITIAL_UTXOS }),
    ...chain.responders,
  })
  const core = createParts({ network: 'testnet-10', url: 'ws://memory', ports: { platform } })
  const engine = joinEngine(core)
  feature(core, eventLog).state$.subscribe()
  engine.virtualDaaScore$.subscribe()
  engine.utxos(addressesOf(INITIAL_UTXOS)).state$.subscribe()
  let received = 0
  engine.acceptedTransactions$().subscribe(() => received++)
  await engine.connection.connect()
  const allReceived = async (): Promise<void> => {
    while (received < IDS * chain.length()) await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return { receive, grow: chain.grow, allReceived, dispose: () => engine.dispose() }
}

/** Yields between batches, so that frames and timers run. */
async function deliver(
  count: number,
  frames: readonly Uint8Array<ArrayBuffer>[],
  { receive, grow, allReceived }: RunningEngine,
): Promise<void> {
  for (let delivered = 0; delivered < count; delivered++) {
    if (delivered % ROUND === ROUND - 1) grow()
    receive(frames[delivered % frames.length] ?? new Uint8Array())
    if (delivered % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await allReceived()
}

const INITIAL_UTXOS = utxos(1_000)
const CHANGED_UTXO = utxos(1_001).slice(-1)

/** Of a round, 98 are scores, one adds or removes a UTXO, and one is a chain block. */
function notifications(): NodeNotification[] {
  const scores = Array.from({ length: ROUND - 2 }, (_, n) => score(91_000_000n + BigInt(n)))
  return Array.from({ length: BLOCKS }, (_, at) => [...scores, utxo(at), chainBlock(at + 1)]).flat()
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

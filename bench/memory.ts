import { createCore } from '../src/engine/core.js'
import { joinEngine } from '../src/engine/engine.js'
import { feature } from '../src/engine/feature.js'
import { eventLog } from '../src/engine/features/event-log.js'
import type { NodeNotification } from '../src/node/messages/records.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import type { BenchRow } from './row.js'
import { bytesOf } from './wire/bytes-of.js'
import { CHAIN_ANSWERS, chainBegins, chainBlock } from './wire/chain-blocks.js'
import { addressesOf, coins } from './wire/coins.js'
import { createMemorySocket } from './wire/memory-socket.js'

const FEW = 10_000
const MANY = 1_000_000
const LIMIT = 2
/** Chain blocks that differ: more than are remembered. */
const BLOCKS = 2_500
/** Transactions that a chain block accepts. */
const IDS = 5

/** The heap of an engine whose every stream is listened to, after so many notifications of a node: scores, coins, chain blocks. */
export async function run(): Promise<BenchRow[]> {
  const { tell, close } = await listen()
  const frames = framesOf(notifications())
  await tellAll(1, framesOf([chainBegins]), tell)
  await tellAll(FEW, frames, tell)
  const few = heap()
  await tellAll(MANY - FEW, frames, tell)
  const more = heap() - few
  const heard = await close()
  if (heard < 0.9 * (MANY / 100) * IDS) throw new Error(`Only ${heard} transactions were heard of`)
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

interface Listener {
  readonly tell: (frame: Uint8Array<ArrayBuffer>) => void
  /** Ends; how many accepted transactions were heard of. */
  readonly close: () => Promise<number>
}

/** An engine at a node of no network, and someone who listens to all that it tells. */
async function listen(): Promise<Listener> {
  const { platform, tell } = createMemorySocket({
    getUtxosByAddresses: { entries: HELD },
    ...CHAIN_ANSWERS,
  })
  const core = createCore({ network: 'testnet-10', url: 'ws://memory', ports: { platform } })
  const engine = joinEngine(core)
  feature(core, eventLog).state$.subscribe()
  engine.virtualDaaScore$.subscribe()
  engine.utxos(addressesOf(HELD)).state$.subscribe()
  let heard = 0
  engine.acceptedTransactions$().subscribe(() => heard++)
  await engine.connection.connect()
  const close = async (): Promise<number> => {
    await engine.dispose()
    return heard
  }
  return { tell, close }
}

/** In turns, so that frames and timers have their time between two of them. */
async function tellAll(
  count: number,
  frames: readonly Uint8Array<ArrayBuffer>[],
  tell: (frame: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  for (let told = 0; told < count; told++) {
    tell(frames[told % frames.length] ?? new Uint8Array())
    if (told % 1_000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await new Promise((resolve) => setTimeout(resolve, 100))
}

const HELD = coins(1_000)
const FRESH = coins(1_001).slice(-1)

/** Of a hundred notifications 98 are scores, one is a coin that comes or goes, and one a chain block with what it accepted. */
function notifications(): NodeNotification[] {
  const scores = Array.from({ length: 98 }, (_, n) => score(91_000_000n + BigInt(n)))
  return Array.from({ length: BLOCKS }, (_, at) => [...scores, coin(at), chainBlock(at + 1, IDS)]).flat()
}

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

const coin = (at: number): NodeNotification => ({
  type: 'utxos-changed',
  data: at % 2 === 0 ? { added: FRESH, removed: [] } : { added: [], removed: FRESH },
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

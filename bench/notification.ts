import { createChainEngine } from '../src/engine/engine.js'
import type { NodeNotification } from '../src/node/messages/records.js'
import { createBorshCodec } from '../src/wrpc/borsh/codec.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'
import { bytesOf } from './wire/bytes-of.js'
import { utxos } from './wire/utxos.js'
import { createMemorySocket } from './wire/memory-socket.js'

const ROUNDS = 31
const WARM_UP = 5
/** Notifications of one side in a batch; fewer where they contain entries. */
const BATCH = 20_000
const ALLOWANCE = 1

const codec = createBorshCodec()
const score: NodeNotification = { type: 'virtual-daa-score-changed', data: { virtualDaaScore: 90_000_123n } }
const changes = (count: number): NodeNotification => {
  const entries = utxos(count)
  return { type: 'utxos-changed', data: { added: entries.slice(count / 2), removed: entries.slice(0, count / 2) } }
}

/**
 * One notification, from the socket's event to a subscriber of `events$`, against the codec alone on the same bytes.
 */
export async function run(): Promise<BenchRow[]> {
  const bare = await measure(score, BATCH)
  return [
    {
      what: 'one bare score, from the socket to a subscriber of events$',
      against: `the codec alone and ${ALLOWANCE} µs`,
      ratio: bare.ours / (bare.codec + ALLOWANCE),
      goal: '≤ 1 ×',
      met: bare.ours <= bare.codec + ALLOWANCE,
      detail: detailOf(bare),
    },
    await changeRow(100),
    await changeRow(1_000),
  ]
}

async function changeRow(entries: number): Promise<BenchRow> {
  const costs = await measure(changes(entries), BATCH / entries)
  const ratio = costs.ours / costs.codec
  return {
    what: `one change of ${entries} entries, from the socket to a subscriber of events$`,
    against: 'the codec alone',
    ratio,
    goal: '≤ 1.15 ×',
    met: ratio <= 1.15,
    detail: detailOf(costs),
  }
}

/** µs a notification. */
interface Costs {
  readonly ours: number
  readonly codec: number
}

const detailOf = ({ ours, codec }: Costs): string =>
  `${ours.toFixed(2)} against ${codec.toFixed(2)} µs of processor time, median of ${ROUNDS}`

/** Alternates both sides and their order; each frame has a new value. */
async function measure(notification: NodeNotification, times: number): Promise<Costs> {
  const nextFrame = createFrames(bytesOf(codec.encodeNotification(notification)))
  const socket = createMemorySocket({})
  const engine = createChainEngine({ network: 'testnet-10', url: 'ws://memory', ports: { platform: socket.platform } })
  let received = 0
  engine.events$(notification.type).subscribe(() => received++)
  await engine.connection.connect()
  const sides = {
    codec: () => costOf(times, () => codec.decodeMessage(nextFrame())),
    ours: () => costOf(times, () => socket.receive(nextFrame())),
  }
  const rounds = Array.from({ length: ROUNDS + WARM_UP }, (_, round): Costs => {
    if (round % 2 === 0) return { codec: sides.codec(), ours: sides.ours() }
    return { ours: sides.ours(), codec: sides.codec() }
  }).slice(WARM_UP)
  await engine.dispose()
  if (received !== (ROUNDS + WARM_UP) * times) throw new Error(`${received} notifications were received`)
  return { ours: median(rounds.map(({ ours }) => ours)), codec: median(rounds.map(({ codec }) => codec)) }
}

/** Increments the score at the end of a short frame; returns a frame of entries unchanged. */
function createFrames(frame: Uint8Array<ArrayBuffer>): () => Uint8Array<ArrayBuffer> {
  if (frame.length > 64) return () => frame
  const view = new DataView(frame.buffer, frame.byteOffset)
  let daaScore = 90_000_123n
  return () => {
    view.setBigUint64(frame.length - 8, ++daaScore, true)
    return frame
  }
}

/** Processor time, µs each. */
function costOf(times: number, work: () => unknown): number {
  const before = process.cpuUsage()
  for (let left = times; left > 0; left--) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

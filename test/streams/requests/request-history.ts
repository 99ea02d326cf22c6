import fc from 'fast-check'
import type { RequestEvent, SeenPayment } from '../../../src/streams/requests/record.js'

/** A node and a page that follows it, possibly behind. */
export type Step =
  /** A payment enters the mempool. */
  | { readonly type: 'sent'; readonly payment: number }
  /** A block takes what is in the mempool; the chain block after the next one accepts it. */
  | { readonly type: 'mined' }
  | { readonly type: 'evicted'; readonly payment: number }
  /** The last chain blocks are replaced; what they had accepted returns to the mempool, or is dropped. */
  | { readonly type: 'reorganized'; readonly depth: number; readonly isDropped: boolean }
  /** The page follows at most that many chain blocks. */
  | { readonly type: 'followed'; readonly blocks: number }
  | { readonly type: 'looked' }
  | { readonly type: 'waited' }

export const PAYMENTS = [100n, 250n, 400n, 600n].map((amount, at): SeenPayment => ({
  outpoint: { transactionId: `payment ${at}`, index: 0 },
  amount,
  counterparties: [`payer ${at}`],
  inputs: [{ transactionId: `funds ${at}`, index: 0 }],
}))

const payment = fc.nat(PAYMENTS.length - 1)
const peaceful: fc.Arbitrary<Step>[] = [
  fc.record({ type: fc.constant('sent' as const), payment }),
  fc.constant({ type: 'mined' as const }),
  fc.record({ type: fc.constant('followed' as const), blocks: fc.integer({ min: 1, max: 3 }) }),
  fc.constant({ type: 'looked' as const }),
  fc.constant({ type: 'waited' as const }),
]

export const peacefulSteps = fc.array(fc.oneof(...peaceful), { maxLength: 60, size: 'max' })

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    ...peaceful,
    fc.record({ type: fc.constant('evicted' as const), payment }),
    fc.record({
      type: fc.constant('reorganized' as const),
      depth: fc.integer({ min: 1, max: 3 }),
      isDropped: fc.boolean(),
    }),
  ),
  { maxLength: 60, size: 'max' },
)

interface Block {
  readonly blueScore: bigint
  readonly accepted: readonly number[]
}

/** What the page observes of such a history. */
export function eventsOf(history: readonly Step[]): readonly RequestEvent[] {
  const events: RequestEvent[] = []
  const mempool = new Set<number>()
  const ended = new Set<number>() // neither sent again
  let merged: number[] = [] // in a block that no chain block has merged
  let blocks: Block[] = []
  let followed: Block[] = []
  let score = 0n
  let time = 1_000
  const mine = (): void => {
    blocks = [...blocks, { blueScore: (score += 2n), accepted: merged }]
    merged = [...mempool]
    mempool.clear()
  }
  const follow = (count: number): void => {
    const kept = followed.filter((block) => blocks.includes(block))
    const added = blocks.slice(kept.length, kept.length + count)
    const hasRollback = kept.length < followed.length
    if (added.length === 0 && !hasRollback) return
    followed = [...kept, ...added]
    events.push({
      type: 'chain',
      rollback: hasRollback ? (kept.at(-1)?.blueScore ?? 0n) : null,
      credits: added.flatMap(({ blueScore, accepted }) =>
        accepted.map((at) => ({ ...seen(at), blueScore, depthBefore: 0n, timestamp: time - 300 })),
      ),
      tip: followed.at(-1)?.blueScore ?? 0n,
      at: time,
      isLive: followed.length === blocks.length,
    })
  }
  const run = (step: Step): void => {
    switch (step.type) {
      case 'sent': {
        if (ended.has(step.payment)) return
        ended.add(step.payment)
        mempool.add(step.payment)
        return
      }
      case 'mined':
        mine()
        return
      case 'evicted':
        mempool.delete(step.payment)
        return
      case 'reorganized': {
        const removed = blocks.splice(-step.depth)
        const back = [...removed.flatMap(({ accepted }) => accepted), ...merged]
        if (!step.isDropped) for (const at of back) mempool.add(at)
        merged = []
        mine()
        return
      }
      case 'followed':
        follow(step.blocks)
        return
      case 'looked': {
        events.push({ type: 'mempool', outputs: [...mempool].map(seen), at: time, sink: score })
        return
      }
      case 'waited':
        events.push({ type: 'clock', at: (time += 700) })
    }
  }
  for (const step of history) run(step)
  return events
}

const seen = (at: number): SeenPayment => {
  const found = PAYMENTS[at]
  if (found === undefined) throw new RangeError(`There is no payment ${at}`)
  return found
}

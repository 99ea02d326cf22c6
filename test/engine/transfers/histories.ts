import fc from 'fast-check'
import type { Devnode } from '../../../src/devnode/index.js'

/** One event in the life of a network and its nodes. */
export type HistoryEvent =
  | { readonly type: 'mine'; readonly count: number; readonly parallel: number }
  | { readonly type: 'fund'; readonly account: number; readonly amount: bigint }
  | { readonly type: 'non-standard' }
  | { readonly type: 'reorg'; readonly depth: number; readonly drops: boolean }
  /** The other node mines a branch of its own, which this node then takes. */
  | { readonly type: 'sync'; readonly count: number }
  /** Restored from an older state; the other node has what is lost, first its headers. */
  | { readonly type: 'restore'; readonly lost: number }
  | { readonly type: 'restart' }
  /** The application is killed, before or after it stored the newest batch. */
  | { readonly type: 'crash' }
  | { readonly type: 'add' }

const count = (max: number) => fc.integer({ min: 1, max })

export const histories: fc.Arbitrary<readonly HistoryEvent[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('mine' as const), count: count(4), parallel: count(3) }),
    fc.record({ type: fc.constant('fund' as const), account: fc.nat(2), amount: fc.bigInt(10_000_000n, 900_000_000n) }),
    fc.record({ type: fc.constant('fund' as const), account: fc.nat(2), amount: fc.bigInt(10_000_000n, 900_000_000n) }),
    fc.constant({ type: 'non-standard' as const }),
    fc.record({ type: fc.constant('reorg' as const), depth: count(6), drops: fc.boolean() }),
    fc.record({ type: fc.constant('sync' as const), count: count(6) }),
    fc.record({ type: fc.constant('restore' as const), lost: count(4) }),
    fc.constant({ type: 'restart' as const }),
    fc.constant({ type: 'crash' as const }),
    fc.constant({ type: 'add' as const }),
  ),
  { minLength: 3, maxLength: 14 },
)

/** A node, and another one with the same history. */
export interface Nodes {
  readonly node: Devnode
  readonly other: Devnode
}

/** Plays an event of the nodes; those of the application are none of theirs. */
export async function play({ node, other }: Nodes, event: HistoryEvent): Promise<void> {
  switch (event.type) {
    case 'mine':
      await node.mine(event.count, { parallel: event.parallel })
      return
    case 'fund':
      await node.fund(node.accounts[event.account]?.address ?? '', event.amount)
      return
    case 'non-standard':
      await node.mine(2, { script: '51' })
      return
    case 'reorg':
      return reorg(node, event)
    case 'sync':
      await other.sync(node)
      await node.mine(1)
      await other.fund(other.accounts[0]?.address ?? '', 30_000_000n)
      await other.mine(event.count)
      await node.sync(other)
      return
    case 'restore':
      return restore({ node, other }, event.lost)
    case 'restart':
      await node.restart()
      return
    case 'crash':
    case 'add':
  }
}

async function reorg(
  node: Devnode,
  { depth, drops }: { readonly depth: number; readonly drops: boolean },
): Promise<void> {
  const chain = node.expected.accepted()
  if (chain.length <= depth) return
  const payments = chain.slice(-depth).flatMap(({ acceptedTransactionIds }) => acceptedTransactionIds.slice(1))
  await node.reorg({ depth, drop: drops ? payments : [] })
}

async function restore({ node, other }: Nodes, lost: number): Promise<void> {
  const older = node.snapshot()
  await node.mine(lost)
  await other.sync(node)
  await node.restart({ snapshot: older })
  await node.sync(other, { headersOnly: true })
  await node.sync(other, { blocks: 1 })
  await node.sync(other)
}

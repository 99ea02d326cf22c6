import type { Expected } from '../../src/devnode/index.js'
import type { AcceptedTransactionInfo } from '../../src/streams/acceptance/acceptance.js'
import type { StreamRecorder } from './stream-recorder.js'

/** The state of the devnode at the start of a recorder. */
export interface Baseline {
  /** Number of chain blocks, which the recorder did not receive. */
  readonly chain: number
  /** Number of blocks in the DAG. */
  readonly blocks: number
}

/** Events missing in the recorder and recorded events that were reverted, except in reported gaps. */
export const missing = (recorder: StreamRecorder, expected: Expected, baseline: Baseline): readonly string[] => [
  ...missingAcceptance(recorder, expected, baseline),
  ...missingBlocks(recorder, expected, baseline),
]

function missingAcceptance(
  { accepted, uncertain, gaps }: StreamRecorder,
  expected: Expected,
  baseline: Baseline,
): string[] {
  const chain = expected.accepted()
  const indexOf = (hash: string | null): number => chain.findIndex((block) => block.acceptingBlockHash === hash)
  const ranges = gaps
    .filter(({ stream }) => stream === 'accepted-transactions')
    .map(({ from, to }) => ({ from: indexOf(from), to: indexOf(to) }))
  const isExpected = (at: number): boolean =>
    at >= baseline.chain && !ranges.some(({ from, to }) => from < at && at <= to)
  const received = new Map(accepted)
  const lost: string[] = []
  for (const [at, { acceptingBlockHash, acceptedTransactionIds }] of chain.entries()) {
    for (const id of acceptedTransactionIds) {
      if (isExpected(at) && received.get(id) !== acceptingBlockHash)
        lost.push(`${id}, accepted by ${acceptingBlockHash}`)
      received.delete(id)
    }
  }
  const stale = [...received].filter(([id]) => !uncertain.has(id))
  return [...lost, ...stale.map(([id, hash]) => `the revert of ${id} from ${hash}`)]
}

/** A gap in blocks reaches from the last block before it to the next received block. */
function missingBlocks({ blocks, gaps }: StreamRecorder, expected: Expected, baseline: Baseline): string[] {
  const all = expected.blocks()
  const received = new Set(blocks)
  const indexes = new Map(all.map((hash, at) => [hash, at]))
  const ranges = gaps
    .filter(({ stream }) => stream === 'blocks')
    .map(({ from, blocksBefore }) => ({
      from: indexes.get(from ?? '') ?? -1,
      to: indexes.get(blocks[blocksBefore] ?? '') ?? Infinity,
    }))
  const isExpected = (at: number): boolean =>
    at >= baseline.blocks && !ranges.some(({ from, to }) => from < at && at < to)
  return all.filter((hash, at) => isExpected(at) && !received.has(hash)).map((hash) => `block ${hash}`)
}

/** Differences between the latest accepted transactions, newest first, and the end of the expected chain. */
export function historyDifferences(newest: readonly AcceptedTransactionInfo[], expected: Expected): readonly string[] {
  const inOrder = expected
    .accepted()
    .flatMap(({ acceptingBlockHash, acceptedTransactionIds }) =>
      acceptedTransactionIds.map((id) => `${id}, accepted by ${acceptingBlockHash}`),
    )
  const listed = newest.map((item) => `${item.transactionId}, accepted by ${item.acceptingBlockHash}`).reverse()
  if (listed.length === 0) return ['the history is empty']
  return listed
    .filter((line, at) => line !== inOrder.at(at - listed.length))
    .map((line) => `misplaced in the history: ${line}`)
}

import type { Truth } from '../../src/devnode/index.js'
import type { AcceptedTransactionInfo } from '../../src/streams/acceptance/change.js'
import type { Witness } from './witness.js'

/** Where a witness began to listen. */
export interface Baseline {
  /** How many chain blocks stood then: of those it was never told. */
  readonly chain: number
  /** How many blocks the DAG had. */
  readonly blocks: number
}

/** What is there and the witness was not told of, or the other way round; declared gaps aside. */
export const missing = (witness: Witness, truth: Truth, baseline: Baseline): readonly string[] => [
  ...missingAcceptance(witness, truth, baseline),
  ...missingBlocks(witness, truth, baseline),
]

function missingAcceptance({ accepted, unvouched, gaps }: Witness, truth: Truth, baseline: Baseline): string[] {
  const chain = truth.accepted()
  const place = (hash: string | null): number => chain.findIndex((block) => block.acceptingBlockHash === hash)
  // A reorg beyond memory (`invalid-data`) leaves open what was taken back, which is unvouched; all else it tells.
  const stretches = gaps
    .filter(({ stream, cause }) => stream === 'accepted-transactions' && cause.code !== 'invalid-data')
    .map(({ from, to }) => ({ from: place(from), to: place(to) }))
  const isOwed = (at: number): boolean =>
    at >= baseline.chain && !stretches.some(({ from, to }) => from < at && at <= to)
  const told = new Map(accepted)
  const lost: string[] = []
  for (const [at, { acceptingBlockHash, acceptedTransactionIds }] of chain.entries()) {
    for (const id of acceptedTransactionIds) {
      if (isOwed(at) && told.get(id) !== acceptingBlockHash) lost.push(`${id}, accepted by ${acceptingBlockHash}`)
      told.delete(id)
    }
  }
  const stale = [...told].filter(([id]) => !unvouched.has(id))
  return [...lost, ...stale.map(([id, hash]) => `the taking back of ${id} from ${hash}`)]
}

/** A gap in the blocks reaches from the last one known before it to the next that was told. */
function missingBlocks({ blocks, gaps }: Witness, truth: Truth, baseline: Baseline): string[] {
  const all = truth.blocks()
  const told = new Set(blocks)
  const place = new Map(all.map((hash, at) => [hash, at]))
  const stretches = gaps
    .filter(({ stream }) => stream === 'blocks')
    .map(({ from, blocksBefore }) => ({
      from: place.get(from ?? '') ?? -1,
      to: place.get(blocks[blocksBefore] ?? '') ?? Infinity,
    }))
  const isOwed = (at: number): boolean =>
    at >= baseline.blocks && !stretches.some(({ from, to }) => from < at && at < to)
  return all.filter((hash, at) => isOwed(at) && !told.has(hash)).map((hash) => `block ${hash}`)
}

/** Where a list of the newest differs from the end of the chain's own; nothing where it is that, newest first. */
export function misremembered(newest: readonly AcceptedTransactionInfo[], truth: Truth): readonly string[] {
  const inOrder = truth
    .accepted()
    .flatMap(({ acceptingBlockHash, acceptedTransactionIds }) =>
      acceptedTransactionIds.map((id) => `${id}, accepted by ${acceptingBlockHash}`),
    )
  const listed = newest.map((item) => `${item.transactionId}, accepted by ${item.acceptingBlockHash}`).reverse()
  if (listed.length === 0) return ['the list of the newest is empty']
  return listed
    .filter((line, at) => line !== inOrder.at(at - listed.length))
    .map((line) => `misplaced in the list: ${line}`)
}

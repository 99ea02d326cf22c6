import {
  isLater,
  pruneRows,
  putRows,
  rollbackRows,
  type ContractRow,
  type ContractRows,
} from '../../model/contracts/rows.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../model/utxo.js'
import type { ChainBatch, ChainBlock, ChainContractTransaction, ChainRollback } from '../chain/batch.js'
import { applyTransaction, type ApplyContext, type FollowedCovenant } from './apply-transaction.js'

/** What a step changes of the rows of some covenants. */
export interface RowChanges {
  /**
   * Rows that were created, spent, or whose state became known, as they are now, after those of `rollback` are undone:
   * rows with `createdBy.blueScore` above it are deleted, and those without `createdBy` whose `blockDaaScore` is above
   * its own; `spentBy` above it is null.
   */
  readonly rows: readonly ContractRow[]
  /** The blue score of its last chain block; null where it has none. */
  readonly blueScore: bigint | null
  /**
   * The covenants of which outputs are not known, because their beginning was not read, or outputs continue what was
   * never shown: not an empty balance.
   */
  readonly incomplete: readonly string[]
}

/** What is known where the chain is followed from. */
export interface RowsAtStart {
  /** Delivered with the first batch. */
  readonly rows: readonly ContractRow[]
  /** Rows that the consumer has already. */
  readonly known?: readonly ContractRow[] | undefined
  /** Rows that the UTXO set has from blocks which are followed yet: they count once the chain shows them. */
  readonly awaited?: readonly ContractRow[] | undefined
  /** The covenants of which rows may be unknown, until the chain shows their genesis. */
  readonly incomplete: readonly string[]
}

/** A step along the chain, whatever else it carries. */
export interface ChainStep extends Pick<ChainBatch, 'rollback'> {
  readonly blocks?: readonly ChainBlock<ChainContractTransaction>[] | undefined
}

export interface FollowRowsOptions<Step> {
  readonly covenants: readonly FollowedCovenant[]
  /** What is known before a step; undefined to follow nothing until the next one. */
  readonly open: (first: Step) => OpenedRows | undefined | Promise<OpenedRows | undefined>
  /** The redeem scripts of own calls. */
  readonly constructed: () => readonly string[]
}

/** What is known before the first step. */
export interface OpenedRows {
  readonly start: RowsAtStart
  /** The row of an output that a start names, and that was not in the UTXO set then: spent before, or undone. */
  readonly recognise: (entry: UtxoEntry) => ContractRow | undefined
}

/** Steps along the chain, each with what it changes of the rows of some covenants in place of its blocks. */
export async function* followRows<Step extends ChainStep>(
  steps: AsyncIterable<Step>,
  { covenants, constructed, open }: FollowRowsOptions<Step>,
): AsyncGenerator<Omit<Step, 'blocks'> & RowChanges, undefined, undefined> {
  const byId = new Map(covenants.map((covenant) => [covenant.covenantId, covenant]))
  const begun = new Set(covenants.flatMap((covenant) => covenant.begun ?? []))
  let followed: FollowedRows | undefined
  for await (const step of steps) {
    const { blocks = [], ...others } = step
    const opened = followed === undefined ? await open(step) : undefined
    followed ??= opened && toFollowed(opened)
    if (followed === undefined) {
      yield { ...others, rows: [], blueScore: null, incomplete: [] }
      continue
    }
    if (step.rollback !== null) followed = undo(followed, step.rollback, begun)
    const { rows, awaited, recognise, first } = followed
    const changed = new Map(opened !== undefined ? first.flatMap((key) => entryAt(rows, key)) : [])
    for (const block of blocks)
      applyBlock(rows, changed, block, { covenants: byId, constructed: constructed(), recognise, awaited })
    const incomplete = followed.incomplete.filter((id) => !isWhole(rows, byId.get(id)))
    const pending = followed.pending.filter(({ outpoint }) => !rows.has(toOutpointKey(outpoint)))
    const foreign = [...followed.foreign, ...foreignIn(changed.values())]
    const unknown = [...new Set([...incomplete, ...foreign, ...pending.map(({ covenantId }) => covenantId)])]
    const blueScore = blocks.at(-1)?.blueScore ?? null
    yield { ...others, rows: [...changed.values()], blueScore, incomplete: unknown }
    const kept = pruneRows(rows, blueScore ?? 0n)
    followed = {
      ...followed,
      incomplete,
      pending,
      foreign: [...new Set(foreign)],
      rows: kept === rows ? rows : new Map(kept),
    }
  }
  return undefined
}

/** What is known at a position. The maps are of this follower alone. */
interface FollowedRows extends Pick<RowsAtStart, 'incomplete'>, Pick<OpenedRows, 'recognise'> {
  readonly rows: Map<OutpointKey, ContractRow>
  readonly awaited: ContractRows
  /** Those of them that the chain has not shown. */
  readonly pending: readonly ContractRow[]
  /** The covenants with outputs that continue unknown ones: a node has withheld something, or a start left it out. */
  readonly foreign: readonly string[]
  /** The rows of the first step. */
  readonly first: readonly OutpointKey[]
}

const toFollowed = ({ start, recognise }: OpenedRows): FollowedRows => {
  const { rows, known = [], awaited = [], incomplete } = start
  return {
    foreign: foreignIn([...known, ...rows]),
    rows: toMap([...known, ...rows]),
    awaited: toMap(awaited),
    pending: awaited,
    first: rows.map(({ outpoint }) => toOutpointKey(outpoint)),
    incomplete,
    recognise,
  }
}

const toMap = (rows: readonly ContractRow[]): Map<OutpointKey, ContractRow> =>
  new Map(putRows(new Map<never, ContractRow>(), rows))

/**
 * Rows of the start that a rollback undoes, of the UTXO set then or shown by a block since, may come again: nothing
 * else knows what they continue.
 */
function undo(
  followed: FollowedRows,
  { blueScore, daaScore }: ChainRollback,
  begun: ReadonlySet<OutpointKey>,
): FollowedRows {
  const rows = new Map(rollbackRows(followed.rows, blueScore, daaScore))
  const isStart = (key: OutpointKey, row: ContractRow): boolean => isLater(row, daaScore) || begun.has(key)
  const undone = [...followed.rows]
    .filter(([key, row]) => !rows.has(key) && isStart(key, row))
    .map(([key, row]) => [key, { ...row, createdBy: null, spentBy: null }] as const)
  const awaited = new Map([...followed.awaited, ...undone])
  const again = [...awaited].filter(([key]) => followed.rows.has(key) && !rows.has(key))
  const pending = [...followed.pending, ...again.map(([, row]) => row)]
  return { ...followed, rows, awaited, pending, foreign: foreignIn(rows.values()) }
}

const foreignIn = (rows: Iterable<ContractRow>): readonly string[] => [
  ...new Set([...rows].filter(({ isForeign }) => isForeign).map(({ covenantId }) => covenantId)),
]

const entryAt = (rows: ContractRows, key: OutpointKey): readonly (readonly [OutpointKey, ContractRow])[] => {
  const row = rows.get(key)
  return row === undefined ? [] : [[key, row]]
}

/** Applies a block to the rows of this follower, which nothing else has: each copy would be of all rows. */
function applyBlock(
  rows: Map<OutpointKey, ContractRow>,
  changed: Map<OutpointKey, ContractRow>,
  { hash, blueScore, daaScore, transactions }: ChainBlock<ChainContractTransaction>,
  context: Pick<ApplyContext, 'covenants' | 'constructed' | 'recognise' | 'awaited'>,
): void {
  const cause = { blockHash: hash, blueScore }
  for (const transaction of transactions)
    for (const row of applyTransaction(transaction, { ...context, rows, cause, daaScore })) {
      const key = toOutpointKey(row.outpoint)
      rows.set(key, row)
      changed.set(key, row)
    }
}

/** Whether all outputs are known that a covenant began with, or from which it is followed. */
function isWhole(rows: ContractRows, covenant: FollowedCovenant | undefined): boolean {
  if (covenant?.begun?.every((key) => rows.has(key)) === true) return true
  const begun = [...rows.values()].filter((row) => row.isGenesis && row.covenantId === covenant?.covenantId)
  return begun.length === covenant?.genesis.outputs.length
}

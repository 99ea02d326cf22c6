import type { ChainEngine } from '../engine/engine.js'
import type { Contract } from '../model/contracts/contract.js'
import type { ContractRow } from '../model/contracts/rows.js'
import { toOutpointKey, toScriptKey, type Outpoint, type UtxoEntry } from '../model/utxo.js'
import type { FollowedCovenant } from '../streams/contracts/followed-covenant.js'
import type { RowsAtStart } from '../streams/contracts/follow-contracts.js'
import type { ChainNetwork } from '../model/network.js'

/** An unspent output at the position from which an instance is followed. */
export interface SnapshotOutput<State = unknown> {
  readonly outpoint: Outpoint
  readonly state: State
  /** Sompi. */
  readonly value: bigint
}

/** A covenant to follow, with what a caller knows of it. */
export interface StartedCovenant extends FollowedCovenant {
  /** Rows of an earlier batch, or outputs that others state. */
  readonly snapshot?: readonly (ContractRow | SnapshotOutput)[] | undefined
  /** What own calls have left unspent, after the last one first: the chain may have accepted only the first of them. */
  readonly own?: readonly (readonly SnapshotOutput[])[] | undefined
}

/** How often the UTXO set is read while the chain moves on. */
const READS = 5

/** The rows of a caller, at the cursor of the batch that carried them: they are its own. */
export const storedRows = (covenants: readonly StartedCovenant[]): RowsAtStart => ({
  rows: covenants.flatMap((covenant) => (covenant.snapshot ?? []).map((output) => toRow(covenant, output))),
  incomplete: covenants.filter(({ snapshot }) => snapshot === undefined).map(({ covenantId }) => covenantId),
})

/**
 * What the UTXO set of the node has now of the snapshots or, without one, of the outputs that began: each by the
 * address of its state, with outpoint, amount and covenant id. A liar can leave out, not invent. With the hash of the
 * block from which the chain is followed.
 */
export async function readRows(
  covenants: readonly StartedCovenant[],
  engine: ChainEngine,
  network: ChainNetwork,
): Promise<RowsAtStart & { readonly from: string }> {
  const addresses = covenants.flatMap((covenant) =>
    candidatesOf(covenant)
      .flat()
      .flatMap(({ state }) => (state === null ? [] : [covenant.contract.scriptAddress(state as never, network)])),
  )
  let { sink: from } = await engine.rpc.getSink()
  for (let read = 1; ; read++) {
    const entries = await engine.rpc.getUtxosByAddresses([...new Set(addresses)])
    const { sink } = await engine.rpc.getSink()
    if (sink === from || read === READS) return { ...found(covenants, entries), from }
    from = sink
  }
}

/** Of each covenant the first candidates of which nothing is missing, or what there is of the last ones. */
function found(covenants: readonly StartedCovenant[], entries: readonly UtxoEntry[]): RowsAtStart {
  const starts = covenants.map((covenant) => {
    const sets = candidatesOf(covenant).map((outputs) => ({ outputs, rows: rowsOf(covenant, outputs, entries) }))
    const whole = sets.find(({ outputs, rows }) => outputs.length > 0 && rows.length === outputs.length)
    return { covenantId: covenant.covenantId, rows: (whole ?? sets.at(-1))?.rows ?? [], isWhole: whole !== undefined }
  })
  return {
    rows: starts.flatMap(({ rows }) => rows),
    incomplete: starts.filter(({ isWhole }) => !isWhole).map(({ covenantId }) => covenantId),
  }
}

/** An output that the UTXO set may have; of a genesis, whose record names no transaction, by its index. */
interface Candidate {
  readonly outpoint?: Outpoint
  readonly index?: number
  readonly state: unknown
  readonly value: bigint
}

const candidatesOf = ({ genesis, snapshot, own = [] }: StartedCovenant): readonly (readonly Candidate[])[] =>
  snapshot === undefined ? [...own, genesis.outputs] : [snapshot]

/** None where two entries claim the same output of a genesis, or another transaction each: one of them is a lie. */
function rowsOf(
  covenant: FollowedCovenant,
  candidates: readonly Candidate[],
  entries: readonly UtxoEntry[],
): readonly ContractRow[] {
  const rows = entries.flatMap((entry) => rowOf(covenant, candidates, entry))
  const begun = rows.filter(({ isGenesis }) => isGenesis).map(({ outpoint }) => outpoint)
  const isOne = new Set(begun.map(({ transactionId }) => transactionId)).size <= 1
  return isOne ? rows : []
}

/**
 * Recognises what a transaction spends as one of those outputs: the UTXO set may be ahead of the block from which the
 * chain is followed, and no longer have it. The node states both.
 */
export const recogniserOf =
  (covenants: readonly StartedCovenant[]) =>
  (entry: UtxoEntry): ContractRow | undefined =>
    covenants.flatMap((covenant) => rowOf(covenant, candidatesOf(covenant).flat(), entry))[0]

/** The row of an entry that is one of the candidates. */
function rowOf(covenant: FollowedCovenant, candidates: readonly Candidate[], entry: UtxoEntry): readonly ContractRow[] {
  if (entry.covenantId !== covenant.covenantId) return []
  const isOf = ({ outpoint, index, state, value }: Candidate): boolean =>
    (outpoint === undefined
      ? index === entry.outpoint.index
      : toOutpointKey(outpoint) === toOutpointKey(entry.outpoint)) &&
    value === entry.amount &&
    state !== null &&
    toScriptKey(entry.scriptPublicKey) === scriptKeyOf(covenant.contract, state)
  const candidate = candidates.find(isOf)
  if (candidate === undefined) return []
  const { state, value, index } = candidate
  const row = toRow(covenant, { outpoint: entry.outpoint, state, value })
  return [{ ...row, blockDaaScore: entry.blockDaaScore, isGenesis: index !== undefined }]
}

const scriptKeyOf = (contract: Contract, state: unknown): string =>
  toScriptKey(contract.scriptPublicKey(state as never))

function toRow({ contract, covenantId }: FollowedCovenant, output: ContractRow | SnapshotOutput): ContractRow {
  if ('scriptPublicKey' in output) return output
  const { outpoint, state, value } = output
  return {
    covenantId,
    outpoint,
    value,
    scriptPublicKey: contract.scriptPublicKey(state as never),
    state,
    isForeign: false,
    isGenesis: false,
    blockDaaScore: 0n,
    createdBy: null,
    spentBy: null,
  }
}

/** The outputs of a genesis that the UTXO set of a node has. */
export const begunIn = (covenant: FollowedCovenant, entries: readonly UtxoEntry[]): readonly ContractRow[] =>
  rowsOf(covenant, covenant.genesis.outputs, entries)

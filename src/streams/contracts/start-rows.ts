import type { ContractRow } from '../../model/contracts/rows.js'
import { toAddress } from '../../model/address.js'
import { toOutpointKey, toScriptKey, type Outpoint, type ScriptPublicKey, type UtxoEntry } from '../../model/utxo.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { FollowedCovenant } from './apply-transaction.js'
import type { RowsAtStart } from './follow-rows.js'

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

/** The calls of a node by which a start is read. */
export interface StartNode {
  readonly getSink: () => Promise<{ readonly sink: string }>
  readonly getUtxosByAddresses: (addresses: readonly string[]) => Promise<readonly UtxoEntry[]>
}

/**
 * What the UTXO set of the node has now of the snapshots or, without one, of the outputs that began, with the hash of
 * the block from which the chain is followed.
 */
export async function readRows(
  covenants: readonly StartedCovenant[],
  node: StartNode,
  network: ChainNetwork,
): Promise<RowsAtStart & { readonly from: string }> {
  const { addresses, found } = toFind(covenants, network)
  let { sink: from } = await node.getSink()
  for (let read = 1; ; read++) {
    const entries = await node.getUtxosByAddresses(addresses)
    const { sink } = await node.getSink()
    if (sink === from || read === READS) return { ...found(entries), from }
    from = sink
  }
}

/** How the rows of covenants are found in a UTXO set. */
export interface StartSearch {
  /** The addresses of all candidates, each once. */
  readonly addresses: readonly string[]
  /**
   * Each candidate by the address of its state, with outpoint, amount and covenant id. A liar can leave out, not
   * invent.
   */
  readonly found: (entries: readonly UtxoEntry[]) => RowsAtStart
}

export function toFind(covenants: readonly StartedCovenant[], network: ChainNetwork): StartSearch {
  const candidates = covenants.map((covenant) => ({ covenant, sets: candidatesOf(covenant).map(index) }))
  const { addressPrefix } = NETWORKS[network]
  const scripts = candidates.flatMap(({ sets }) => sets.flatMap((set) => set.outputs))
  const addresses = scripts.flatMap(
    ({ scriptPublicKey }) => (scriptPublicKey && toAddress(scriptPublicKey, addressPrefix)) ?? [],
  )
  return { addresses: [...new Set(addresses)], found: (entries) => foundIn(candidates, entries) }
}

/** Of each covenant the first candidates of which nothing is missing, or what there is of the last ones. */
function foundIn(
  candidates: readonly { readonly covenant: StartedCovenant; readonly sets: readonly Candidates[] }[],
  entries: readonly UtxoEntry[],
): RowsAtStart {
  const starts = candidates.map(({ covenant, sets }) => {
    const read = sets.map((set) => ({ outputs: set.outputs, rows: rowsOf(covenant, set, entries) }))
    const whole = read.find(({ outputs, rows }) => outputs.length > 0 && rows.length === outputs.length)
    return { covenantId: covenant.covenantId, rows: (whole ?? read.at(-1))?.rows ?? [], isWhole: whole !== undefined }
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
  /** Null where the state is not known. */
  readonly scriptPublicKey: ScriptPublicKey | null
}

/** Outputs, and those among them with an outpoint or an index: a snapshot may have ten thousand. */
interface Candidates {
  readonly outputs: readonly Candidate[]
  readonly byKey: ReadonlyMap<string, readonly Candidate[]>
}

function index(outputs: readonly Candidate[]): Candidates {
  const byKey = new Map<string, Candidate[]>()
  for (const output of outputs) {
    const key = output.outpoint === undefined ? String(output.index) : toOutpointKey(output.outpoint)
    const others = byKey.get(key)
    if (others === undefined) byKey.set(key, [output])
    else others.push(output)
  }
  return { outputs, byKey }
}

const candidatesOf = ({ contract, genesis, snapshot, own = [] }: StartedCovenant): readonly (readonly Candidate[])[] =>
  (snapshot === undefined ? [...own, genesis.outputs] : [snapshot]).map((outputs) =>
    outputs.map((output) => ({
      ...output,
      scriptPublicKey: output.state === null ? null : contract.scriptPublicKey(output.state as never),
    })),
  )

/**
 * In the order of the candidates, whatever that of the node. None where two entries claim the same output of a genesis,
 * or another transaction each: one of them is a lie.
 */
function rowsOf(
  covenant: FollowedCovenant,
  candidates: Candidates,
  entries: readonly UtxoEntry[],
): readonly ContractRow[] {
  const positions = new Map([...candidates.byKey.keys()].map((key, at) => [key, at]))
  const positionOf = ({ outpoint }: ContractRow): number =>
    positions.get(toOutpointKey(outpoint)) ?? positions.get(String(outpoint.index)) ?? 0
  const rows = entries
    .flatMap((entry) => rowOf(covenant, candidates, entry))
    .sort((one, other) => positionOf(one) - positionOf(other))
  const begun = rows.filter(({ isGenesis }) => isGenesis).map(({ outpoint }) => outpoint)
  const isOne = new Set(begun.map(({ transactionId }) => transactionId)).size <= 1
  return isOne ? rows : []
}

/**
 * Recognises what a transaction spends as one of those outputs: the UTXO set may be ahead of the block from which the
 * chain is followed, and no longer have it. The node states both.
 */
export function recogniserOf(covenants: readonly StartedCovenant[]): (entry: UtxoEntry) => ContractRow | undefined {
  let known: readonly (readonly [StartedCovenant, Candidates])[] | undefined
  return (entry) => {
    known ??= covenants.map((covenant) => [covenant, index(candidatesOf(covenant).flat())])
    return known.flatMap(([covenant, candidates]) => rowOf(covenant, candidates, entry))[0]
  }
}

/** The row of an entry that is one of the candidates. */
function rowOf(covenant: FollowedCovenant, { byKey }: Candidates, entry: UtxoEntry): readonly ContractRow[] {
  if (entry.covenantId !== covenant.covenantId) return []
  const { outpoint, amount, scriptPublicKey, blockDaaScore } = entry
  const isOf = (candidate: Candidate): boolean =>
    candidate.value === amount &&
    candidate.scriptPublicKey !== null &&
    toScriptKey(candidate.scriptPublicKey) === toScriptKey(scriptPublicKey)
  const named = [...(byKey.get(toOutpointKey(outpoint)) ?? []), ...(byKey.get(String(outpoint.index)) ?? [])]
  const candidate = named.find(isOf)
  if (candidate === undefined) return []
  const { state, value } = candidate
  const { covenantId } = covenant
  return [
    {
      ...{ covenantId, outpoint, value, scriptPublicKey, state, blockDaaScore },
      ...{ isForeign: false, isGenesis: candidate.index !== undefined, createdBy: null, spentBy: null },
    },
  ]
}

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
  rowsOf(covenant, index(candidatesOf(covenant).flat()), entries)

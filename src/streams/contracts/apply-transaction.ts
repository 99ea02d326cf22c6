import { covenantIdOf, type GenesisRecord } from '../../model/covenant-id.js'
import { decodeCall } from '../../model/contracts/decode-call.js'
import type { ContractRow, ContractRows, RowCause } from '../../model/contracts/rows.js'
import { transactionId } from '../../model/transaction-id.js'
import type { CovenantBinding, Transaction } from '../../model/transaction.js'
import { toOutpointKey, type UtxoEntry, type OutpointKey } from '../../model/utxo.js'
import { malformed } from '../../node/port.js'
import { hashedScripts } from '../../script/run-input.js'
import { toSpendingContext } from '../../script/spending.js'
import type { ChainContractInput, ChainContractOutput, ChainContractTransaction } from '../chain/batch.js'
import type { Contract } from '../../model/contracts/contract.js'
import { blake2b256 } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'

const METHOD = 'getVirtualChainFromBlockV2'

/** What a transaction is applied to. */
export interface ApplyContext {
  readonly covenants: ReadonlyMap<string, FollowedCovenant>
  readonly rows: ContractRows
  /** The redeem scripts of own calls, which need no execution. */
  readonly constructed: readonly string[]
  readonly cause: Omit<RowCause, 'transactionId'>
  readonly daaScore: bigint
  /** The row of an output that a start names, and that was not in the UTXO set then: spent before, or undone. */
  readonly recognise: (entry: UtxoEntry) => ContractRow | undefined
  /** Rows that the UTXO set had at the start, from blocks that the chain has not shown, or has undone. */
  readonly awaited: ContractRows
}

/**
 * The rows that an accepted transaction creates and spends; none where it touches no followed covenant. Throws
 * `ChainRpcError` (`malformed`) for what no node of the network accepts: a lie of this one.
 */
export function applyTransaction(transaction: ChainContractTransaction, context: ApplyContext): readonly ContractRow[] {
  const { covenants, rows, recognise } = context
  const spent = transaction.inputs.map((input) => {
    const entry = isOf(covenants, input.covenantId) ? entryOf(input, undefined) : undefined
    return rows.get(toOutpointKey(input.outpoint)) ?? (entry && recognise(entry))
  })
  const bound = transaction.outputs.filter(({ covenant }) => isOf(covenants, covenant?.covenantId))
  if (bound.length === 0 && spent.every((row) => row === undefined)) return []
  const hashed = toHashed(transaction)
  if (transactionId(hashed) !== transaction.id) throw malformed(METHOD, 'the id of a transaction does not fit it')
  const cause = { ...context.cause, transactionId: transaction.id }
  const spends = spent.flatMap((row, at) =>
    row === undefined ? [] : [spend(row, transaction.inputs[at], context, cause)],
  )
  const creations = bound.map((output) => create(output, transaction, hashed, spent, { ...context, cause }))
  return [...spends, ...creations]
}

const isOf = (covenants: ApplyContext['covenants'], covenantId: string | undefined): boolean =>
  covenantId !== undefined && covenants.has(covenantId)

/** The transaction that the id covers. */
const toHashed = ({ inputs, outputs, ...transaction }: ChainContractTransaction): Transaction => ({
  version: transaction.version,
  inputs: inputs.map(({ outpoint, signatureScript, sequence, sigOpCount, computeBudget }) => ({
    previousOutpoint: outpoint,
    signatureScript,
    sequence,
    sigOpCount,
    computeBudget,
  })),
  outputs: outputs.map(({ amount, scriptPublicKey, covenant }) => ({ value: amount, scriptPublicKey, covenant })),
  lockTime: transaction.lockTime,
  subnetworkId: transaction.subnetworkId,
  gas: transaction.gas,
  payload: transaction.payload,
  mass: transaction.storageMass,
})

/** A spent row, with what its signature script shows: the call, and the state where it was not known. */
function spend(
  row: ContractRow,
  input: ChainContractInput | undefined,
  { covenants }: ApplyContext,
  cause: RowCause,
): ContractRow {
  const covenant = covenants.get(row.covenantId)
  const call = covenant && decodeCall(covenant.contract, input?.signatureScript ?? '')
  const spentBy = { ...cause, entry: call?.entry ?? null, arguments: call?.args ?? null }
  if (covenant === undefined || call === undefined || row.state !== null) return { ...row, spentBy }
  return { ...row, spentBy, state: provedState(covenant, row.scriptPublicKey.script, [call.redeemScript]) }
}

interface CreationContext extends ApplyContext {
  readonly cause: RowCause
}

function create(
  output: ChainContractOutput,
  transaction: ChainContractTransaction,
  hashed: Transaction,
  spent: readonly (ContractRow | undefined)[],
  context: CreationContext,
): ContractRow {
  const { covenantId, authorizingInput } = bindingOf(output)
  const covenant = context.covenants.get(covenantId)
  if (covenant === undefined) throw new TypeError('The covenant is not followed')
  const row = {
    covenantId,
    outpoint: { transactionId: transaction.id, index: output.index },
    value: output.amount,
    scriptPublicKey: output.scriptPublicKey,
    blockDaaScore: context.daaScore,
    createdBy: context.cause,
    spentBy: null,
  }
  const authorizing = transaction.inputs[authorizingInput]?.outpoint
  if (authorizing !== undefined && toOutpointKey(authorizing) === toOutpointKey(covenant.genesis.outpoint))
    return { ...row, state: begunState(covenant, output, transaction), isForeign: false, isGenesis: true }
  const key = toOutpointKey(row.outpoint)
  const known = context.rows.get(key) ?? context.awaited.get(key) // of the UTXO set at the start
  if (known !== undefined) return { ...known, createdBy: context.cause }
  if (!isContinued(covenant, transaction, spent)) return recalled(row, context.recognise)
  const proved = (scripts: readonly string[]): unknown => provedState(covenant, output.scriptPublicKey.script, scripts)
  const state = proved(context.constructed) ?? proved(executedScripts(covenant, transaction, hashed, spent))
  return { ...row, state, isForeign: false, isGenesis: false }
}

/** An output that continues unknown ones: foreign, but where a snapshot has it. */
function recalled(
  row: Omit<ContractRow, 'state' | 'isForeign' | 'isGenesis'>,
  recognise: ApplyContext['recognise'],
): ContractRow {
  const { outpoint, value: amount, scriptPublicKey, blockDaaScore, covenantId } = row
  const named = recognise({ outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase: false, covenantId })
  const isKnown = named !== undefined && !named.isGenesis // what begins is recognised by its authorizing input
  return { ...row, state: isKnown ? named.state : null, isForeign: !isKnown, isGenesis: false }
}

const bindingOf = ({ covenant }: ChainContractOutput): CovenantBinding => {
  if (covenant === undefined) throw new TypeError('The output is not bound')
  return covenant
}

/** The state of an output of the genesis, whose record proves the id. */
function begunState(
  { covenantId, genesis }: FollowedCovenant,
  output: ChainContractOutput,
  { outputs }: ChainContractTransaction,
): unknown {
  const group = outputs.filter(({ covenant }) => covenant?.covenantId === covenantId)
  const begun = group.map(({ index, amount, scriptPublicKey }) => ({ index, value: amount, scriptPublicKey }))
  if (covenantIdOf(genesis.outpoint, begun) !== covenantId)
    throw malformed(METHOD, 'the genesis of a covenant does not fit its id')
  return genesis.outputs.find(({ index }) => index === output.index)?.state ?? null
}

/** Whether all inputs of a covenant spend known outputs of its program. */
function isContinued(
  { covenantId }: FollowedCovenant,
  { inputs }: ChainContractTransaction,
  spent: readonly (ContractRow | undefined)[],
): boolean {
  const own = spent.filter((row) => row?.covenantId === covenantId)
  const isUnknown = (input: ChainContractInput, at: number): boolean =>
    input.covenantId === covenantId && spent[at] === undefined
  return own.length > 0 && own.every((row) => row?.isForeign === false) && !inputs.some(isUnknown)
}

/** What the inputs of a covenant hash when they are executed against what they spend. */
function executedScripts(
  { covenantId }: FollowedCovenant,
  { inputs }: ChainContractTransaction,
  hashed: Transaction,
  spent: readonly (ContractRow | undefined)[],
): readonly string[] {
  const entries = inputs.map((input, at) => entryOf(input, spent[at]))
  const known = entries.filter((entry) => entry !== undefined)
  if (known.length < entries.length) return [] // a block that was read without the spent outputs
  const context = toSpendingContext(hashed, known)
  return known.flatMap((entry, at) => (entry.covenantId === covenantId ? hashedScripts(context, at) : []))
}

/** What an input spends: of followed covenants as their rows have it, of others as the node reports it. */
function entryOf(
  { outpoint, amount, covenantId, spent }: ChainContractInput,
  row: ContractRow | undefined,
): UtxoEntry | undefined {
  if (row !== undefined) {
    const { value, scriptPublicKey, blockDaaScore } = row
    return { outpoint, amount: value, scriptPublicKey, blockDaaScore, isCoinbase: false, covenantId: row.covenantId }
  }
  return spent === null || amount === null ? undefined : { ...spent, outpoint, amount, covenantId }
}

/** A covenant that is followed, with the program that its genesis pins. */
export interface FollowedCovenant {
  readonly contract: Contract
  readonly covenantId: string
  readonly genesis: GenesisRecord<unknown>
  /** The outputs from which it is followed, where they are not those of the genesis: with them nothing is unknown. */
  readonly begun?: readonly OutpointKey[] | undefined
}

/** The locking script of the hash of a redeem script. */
export const scriptOfHash = (redeemScript: string): string => `aa20${toHex(blake2b256(fromHex(redeemScript)))}87`

/** The first state among redeem scripts that hash to a locking script; null where none of the program does. */
function provedState({ contract }: FollowedCovenant, script: string, redeemScripts: readonly string[]): unknown {
  const redeemScript = redeemScripts.find((candidate) => scriptOfHash(candidate) === script)
  return (redeemScript === undefined ? undefined : contract.decodeState(redeemScript)) ?? null
}

import { computeMass, isCoinbase } from '../../../model/mass.js'
import type { AddressPrefix } from '../../../model/network.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import type { LedgerTransaction } from '../../ledger/ledger.js'
import type { Indexer } from '../indexer.js'
import { internalError } from '../http/reply.js'
import { addressVersionOf, toAddress } from '../../../model/address.js'

/** The detail of the outputs that the inputs spend. */
export type Resolution = 'no' | 'light' | 'full'

interface TransactionView {
  readonly inputs: boolean
  readonly outputs: boolean
  readonly resolve: Resolution
}

/** The time of the first block that includes the transaction, in ms. */
export const blockTimeOf = (indexer: Indexer, { blockHashes }: LedgerTransaction): number =>
  Number(indexer.block(blockHashes[0] ?? '')?.header.timestamp ?? 0n)

/**
 * The record of a query by id: unknown acceptance fields are omitted, as are the outputs that inputs spend where the
 * previous transaction is not indexed. With `hasStored`, address and amount are those stored with the transaction.
 */
export function toTransaction(indexer: Indexer, found: LedgerTransaction, view: TransactionView, hasStored = false) {
  const { transaction, transactionId, hash, blockHashes } = found
  const mass = computeMass(transaction)
  return {
    subnetwork_id: transaction.subnetworkId,
    transaction_id: transactionId,
    hash,
    mass: mass === 0n ? null : mass.toString(),
    payload: transaction.payload === '' ? null : transaction.payload,
    block_hash: blockHashes,
    block_time: blockTimeOf(indexer, found),
    version: transaction.version,
    is_accepted: found.acceptingBlockHash !== undefined,
    ...acceptanceOf(indexer, found),
    inputs: view.inputs && !isCoinbase(transaction) ? toInputs(indexer, found, view.resolve, hasStored) : null,
    outputs: view.outputs ? toOutputs(indexer, found) : null,
  }
}

/**
 * The record in lists: unknown acceptance fields are null; addresses and amounts of inputs are stored with an accepted
 * transaction. A nonstandard output makes the server fail for the whole list.
 */
export function toListed(indexer: Indexer, found: LedgerTransaction, view: TransactionView) {
  const record = toTransaction(indexer, found, view, found.acceptingBlockHash !== undefined)
  if (!found.transaction.outputs.every(({ scriptPublicKey }) => isStandard(scriptPublicKey))) throw internalError()
  const { accepting_block_hash = null, accepting_block_blue_score = null, accepting_block_time = null } = record
  return { ...record, accepting_block_hash, accepting_block_blue_score, accepting_block_time }
}

interface Acceptance {
  readonly accepting_block_hash?: string | undefined
  readonly accepting_block_blue_score?: number | undefined
  readonly accepting_block_time?: number | undefined
}

function acceptanceOf(indexer: Indexer, { acceptingBlockHash }: LedgerTransaction): Acceptance {
  const block = acceptingBlockHash === undefined ? undefined : indexer.block(acceptingBlockHash)
  if (block === undefined) return {}
  return {
    accepting_block_hash: acceptingBlockHash,
    accepting_block_blue_score: Number(block.header.blueScore),
    accepting_block_time: Number(block.header.timestamp),
  }
}

function toInputs(
  indexer: Indexer,
  { transaction, transactionId, spent }: LedgerTransaction,
  resolve: Resolution,
  hasStored: boolean,
) {
  return transaction.inputs.map(({ previousOutpoint, signatureScript, sigOpCount }, index) => ({
    transaction_id: transactionId,
    index,
    previous_outpoint_hash: previousOutpoint.transactionId,
    previous_outpoint_index: String(previousOutpoint.index),
    ...toPrevious(indexer, resolve, spent[index], hasStored),
    signature_script: signatureScript,
    sig_op_count: String(sigOpCount),
  }))
}

/** The output that an input spends: nulls if not requested, nothing if unknown. */
function toPrevious(indexer: Indexer, resolve: Resolution, spent: UtxoEntry | undefined, hasStored: boolean) {
  if (resolve === 'no') return { previous_outpoint_address: null, previous_outpoint_amount: null }
  if (spent === undefined) return {}
  const { outpoint, amount, scriptPublicKey } = spent
  const { addressPrefix } = indexer.network
  const isIndexed = indexer.transaction(outpoint.transactionId) !== undefined
  if (!isIndexed && !hasStored) return {}
  return {
    previous_outpoint_resolved:
      resolve === 'full' && isIndexed
        ? {
            transaction_id: outpoint.transactionId,
            index: outpoint.index,
            amount,
            ...toScript(addressPrefix, scriptPublicKey),
          }
        : undefined,
    previous_outpoint_address: describeScript(scriptPublicKey, addressPrefix).address,
    previous_outpoint_amount: amount,
  }
}

const toOutputs = ({ network }: Indexer, { transaction, transactionId }: LedgerTransaction) =>
  transaction.outputs.map(({ value, scriptPublicKey }, index) => ({
    transaction_id: transactionId,
    index,
    amount: value,
    ...toScript(network.addressPrefix, scriptPublicKey),
  }))

function toScript(prefix: AddressPrefix, scriptPublicKey: ScriptPublicKey) {
  const { type, address = null } = describeScript(scriptPublicKey, prefix)
  return { script_public_key: scriptPublicKey.script, script_public_key_address: address, script_public_key_type: type }
}

/** Selects top-level fields by their names, joined by commas; empty: all. Unknown names are ignored. */
export function pickFields(rows: readonly object[], fields: string): readonly object[] {
  if (fields === '') return rows
  const names = fields.split(',')
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))))
}

const NAMES = { PubKey: 'pubkey', PubKeyECDSA: 'pubkeyecdsa', ScriptHash: 'scripthash' } as const

const isStandard = (script: ScriptPublicKey): boolean => addressVersionOf(script) !== undefined

/** The server's name of the script type, and the address of the script. */
export function describeScript(script: ScriptPublicKey, prefix: AddressPrefix) {
  const version = addressVersionOf(script)
  return {
    type: version === undefined ? ('nonstandard' as const) : NAMES[version],
    address: toAddress(script, prefix),
  }
}

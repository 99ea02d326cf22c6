import { addressVersionOf } from '../../../model/address.js'
import type { CovenantBinding, TransactionInput, TransactionOutput } from '../../../model/transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import type { DataVerbosity, RpcAcceptingBlock } from '../../../node/messages/records.js'
import type { LedgerBlock } from '../block.js'
import type { AcceptedTransaction } from '../transaction.js'
import type { Addresses } from '../utxo-set.js'

/**
 * Chain blocks and accepted transactions of `getVirtualChainFromBlockV2`. Each verbosity level includes the fields of
 * the lower ones: Low adds ids and sender addresses, High adds amounts, Full adds the remaining fields.
 */

/** A script of an accepted transaction has no address. From Low up, the node fails the whole call. */
export class MissingAddressError extends Error {}

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]
type InputRecord = AcceptedRecord['inputs'][number]
type OutputRecord = AcceptedRecord['outputs'][number]

const LEVELS: readonly DataVerbosity[] = ['None', 'Low', 'High', 'Full']

/** Returns the fields of a level if the requested verbosity includes it, else none. */
export type Detail = <T extends object>(level: DataVerbosity, fields: () => T) => Partial<T>

export function detailOf(verbosity: DataVerbosity): Detail {
  const requested = LEVELS.indexOf(verbosity)
  return (level, fields) => (LEVELS.indexOf(level) <= requested ? fields() : {})
}

export function toChainHeader({ header }: LedgerBlock, detail: Detail): RpcAcceptingBlock['chainBlockHeader'] {
  const { hash, version, timestamp, bits, nonce, daaScore, blueWork, blueScore } = header
  const { parentsByLevel, hashMerkleRoot, acceptedIdMerkleRoot, utxoCommitment, pruningPoint } = header
  return {
    hash,
    ...detail('Low', () => ({ version, timestamp, bits, nonce, daaScore, blueWork, blueScore })),
    ...detail('High', () => ({ parentsByLevel, hashMerkleRoot, acceptedIdMerkleRoot })),
    ...detail('Full', () => ({ utxoCommitment, pruningPoint })),
  }
}

/** `block` is the merged block that includes the transaction. Throws `NoAddress`. */
export function toAcceptedRecord(
  { known, spent }: AcceptedTransaction,
  block: LedgerBlock,
  addresses: Addresses,
  detail: Detail,
): AcceptedRecord {
  const { transaction, id, hash, computeMass } = known
  const { version, lockTime, subnetworkId, gas, payload, mass } = transaction
  return {
    subnetworkId,
    gas,
    payload,
    mass,
    inputs: transaction.inputs.map((input, index) => toInput(input, spent[index], addresses, detail)),
    outputs: transaction.outputs.map((output) => toOutput(output, addresses, detail)),
    verboseData: {
      ...detail('Low', () => ({ transactionId: id, hash, blockHash: block.hash, blockTime: block.header.timestamp })),
      ...detail('High', () => ({ computeMass })),
    },
    ...detail('Full', () => ({ version, lockTime })),
  }
}

function toInput(
  { previousOutpoint, signatureScript, sequence, sigOpCount, computeBudget = 0 }: TransactionInput,
  utxo: UtxoEntry | undefined,
  addresses: Addresses,
  detail: Detail,
): InputRecord {
  return {
    ...detail('Low', () => ({ signatureScript })),
    ...detail('High', () => ({ previousOutpoint, sequence, sigOpCount, computeBudget })),
    verboseData: { utxoEntry: utxo && toUtxo(utxo, addresses, detail) },
  }
}

function toUtxo(
  { amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId }: UtxoEntry,
  addresses: Addresses,
  detail: Detail,
): NonNullable<NonNullable<InputRecord['verboseData']>['utxoEntry']> {
  return {
    ...detail('High', () => ({ amount, scriptPublicKey, isCoinbase })),
    ...detail('Full', () => ({ blockDaaScore })),
    verboseData: detail('Low', () => scriptData(scriptPublicKey, addresses)),
    covenantId,
  }
}

function toOutput(
  { value, scriptPublicKey, covenant }: TransactionOutput,
  addresses: Addresses,
  detail: Detail,
): OutputRecord {
  return {
    ...detail('Low', () => ({
      value,
      scriptPublicKey,
      ...(covenant && { covenant: covenant satisfies CovenantBinding }),
    })),
    verboseData: detail('Low', () => scriptData(scriptPublicKey, addresses)),
  }
}

function scriptData(scriptPublicKey: ScriptPublicKey, addresses: Addresses) {
  const scriptPublicKeyType = addressVersionOf(scriptPublicKey)
  const scriptPublicKeyAddress = addresses.of(scriptPublicKey)
  if (scriptPublicKeyType === undefined || scriptPublicKeyAddress === undefined)
    throw new MissingAddressError('The address is invalid')
  return { scriptPublicKeyType, scriptPublicKeyAddress }
}

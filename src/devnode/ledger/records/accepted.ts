import { addressVersionOf } from '../../../model/address.js'
import type { CovenantBinding, TransactionInput, TransactionOutput } from '../../../model/transaction.js'
import type { ScriptPublicKey, UtxoEntry } from '../../../model/utxo.js'
import type { DataVerbosity, RpcAcceptingBlock } from '../../../node/messages/records.js'
import type { LedgerBlock } from '../block.js'
import type { AcceptedTransaction } from '../transaction.js'
import type { Addresses } from '../utxo/addresses.js'

/**
 * Chain blocks and what they accepted, as `getVirtualChainFromBlockV2` fills them in: each level of detail tells what the one
 * below it tells, and more. Ids and senders' addresses come with Low, amounts with High, everything with Full.
 */

/** A script in an accepted transaction has no address: from Low on the node fails the whole call. */
export class NoAddress extends Error {}

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]
type InputRecord = AcceptedRecord['inputs'][number]
type OutputRecord = AcceptedRecord['outputs'][number]

const LEVELS: readonly DataVerbosity[] = ['None', 'Low', 'High', 'Full']

/** The fields that belong to a level, where that level is told; none where it is not. */
export type Detail = <T extends object>(from: DataVerbosity, fields: () => T) => Partial<T>

export function detailOf(verbosity: DataVerbosity): Detail {
  const level = LEVELS.indexOf(verbosity)
  return (from, fields) => (LEVELS.indexOf(from) <= level ? fields() : {})
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
  coin: UtxoEntry | undefined,
  addresses: Addresses,
  detail: Detail,
): InputRecord {
  return {
    ...detail('Low', () => ({ signatureScript })),
    ...detail('High', () => ({ previousOutpoint, sequence, sigOpCount, computeBudget })),
    verboseData: { utxoEntry: coin && toCoin(coin, addresses, detail) },
  }
}

function toCoin(
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
    throw new NoAddress('The address is invalid')
  return { scriptPublicKeyType, scriptPublicKeyAddress }
}

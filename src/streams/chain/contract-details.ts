import type { TransactionOutput } from '../../model/transaction.js'
import { NATIVE_SUBNETWORK } from '../../model/transaction.js'
import type { RpcAcceptingBlock, RpcTransaction } from '../../node/messages/records.js'
import type { ChainContractTransaction, ChainTransaction } from './batch.js'

type AcceptedRecord = RpcAcceptingBlock['acceptedTransactions'][number]

/** A transaction of a page with everything that its id covers and its scripts read. */
export const withContractDetails = (
  transaction: ChainTransaction,
  record: AcceptedRecord | RpcTransaction,
): ChainContractTransaction => ({
  ...transaction,
  lockTime: record.lockTime ?? 0n,
  subnetworkId: record.subnetworkId ?? NATIVE_SUBNETWORK,
  gas: record.gas ?? 0n,
  inputs: transaction.inputs.map((input, at) => {
    const given = record.inputs[at]
    return {
      ...input,
      signatureScript: given?.signatureScript ?? '',
      sequence: given?.sequence ?? 0n,
      sigOpCount: given?.sigOpCount ?? 0,
      computeBudget: given?.computeBudget ?? 0,
      spent: given === undefined ? null : spentOf(given),
    }
  }),
  outputs: transaction.outputs.map((output, at) => {
    const covenant: TransactionOutput['covenant'] = record.outputs[at]?.covenant
    return covenant === undefined ? output : { ...output, covenant }
  }),
})

/** What an input spends; null in a block that was read without the spent outputs. */
function spentOf(
  input: (AcceptedRecord | RpcTransaction)['inputs'][number],
): ChainContractTransaction['inputs'][number]['spent'] {
  const entry =
    input.verboseData !== undefined && 'utxoEntry' in input.verboseData ? input.verboseData.utxoEntry : undefined
  if (entry?.scriptPublicKey === undefined || entry.blockDaaScore === undefined) return null
  const { scriptPublicKey, blockDaaScore, isCoinbase = false } = entry
  return { scriptPublicKey, blockDaaScore, isCoinbase }
}

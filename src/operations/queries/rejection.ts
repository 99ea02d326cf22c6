import { ChainRpcError, type RejectReason } from '../../errors/rpc-error.js'
import { rejectReasonOf } from '../../model/reject-reason.js'

const HINTS: Readonly<Record<RejectReason, string>> = {
  duplicate: 'The network already has the transaction: follow it by its id.',
  'double-spend': 'Another pending payment spends the same UTXO: wait for it, or replace it with a higher fee.',
  orphan: 'One of the UTXOs does not exist or is spent: read the entries again and build the payment again.',
  'immature-coinbase': 'Mining rewards mature after a DAA score of 1000: wait, or pay from other UTXOs.',
  'mass-exceeded': 'Pay larger amounts, or in several transactions.',
  'fee-too-low': 'Pay more: give a higher feeRate or priorityFee.',
  'invalid-signature': 'Sign with the keys of the addresses that the transaction spends from.',
  other: 'The message of the node is in cause.message.',
}

/** Adds the reason to a rejection by the node; returns every other error unchanged. */
export function withReason(error: unknown): unknown {
  if (!(error instanceof ChainRpcError) || error.code !== 'remote') return error
  const reason = rejectReasonOf(messageOf(error))
  return new ChainRpcError(error.method, error.cause, { code: 'remote', reason, hint: HINTS[reason] })
}

/** Whether the network already has the transaction, in the mempool or accepted. An orphan may never be accepted. */
export const isKnownToNetwork = (error: unknown): boolean =>
  error instanceof ChainRpcError && error.reason === 'duplicate' && !messageOf(error).includes('orphan pool')

const messageOf = ({ cause }: ChainRpcError): string => (cause instanceof Error ? cause.message : '')

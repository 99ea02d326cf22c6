import { withOutcome } from '../../errors/with-outcome.js'
import { NETWORKS } from '../../model/network.js'
import type { TransactionLike } from '../../model/serialized-transaction.js'
import type { Transaction } from '../../model/transaction.js'
import { transactionId as idOf } from '../../model/transaction-id.js'
import { findTransaction, knownByReply } from '../submission/find-transaction.js'
import { submitToNode } from '../submission/submit-to-node.js'
import { toUnknownOutcome } from '../submission/unknown-outcome.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { QueryDeps } from './call.js'
import { transactionArgument } from './checks.js'
import { validateArguments } from './validate-arguments.js'

type SubmitMethod = 'submitTransaction' | 'submitTransactionReplacement'

interface SubmitArguments {
  readonly transaction: TransactionLike
  readonly allowOrphan?: boolean
}

/**
 * Submits a transaction and resolves to its own id, because a node may reply with another, once it is relayed. Rejects
 * with `ChainRpcError`: `unsent` where it is malformed or every node would refuse it, and this engine never sent it;
 * everything else is `unknown`, because an earlier process may have sent it.
 */
export async function submitQuery(
  method: SubmitMethod,
  { transaction: given, allowOrphan }: SubmitArguments,
  { call, sentIds, network }: QueryDeps,
  options?: AbortOptions,
): Promise<string> {
  const { transaction, id } = validateTransaction(method, given)
  const isReplacement = method === 'submitTransactionReplacement'
  const prefix = NETWORKS[network()].addressPrefix
  const sent = { id, transaction, prefix, lookupStart: undefined }
  const reply = await submitToNode({ id, transaction, isReplacement, allowOrphan }, { call, sentIds }, options)
  if (reply.type === 'invalid' && !sentIds.has(id)) throw withOutcome(reply.error, 'unsent', id)
  if ((await knownByReply(reply, () => findTransaction(sent, call))) !== undefined) return id
  throw toUnknownOutcome('error' in reply ? reply.error : undefined, id)
}

function validateTransaction(method: SubmitMethod, given: TransactionLike): { transaction: Transaction; id: string } {
  try {
    return validateArguments(method, () => {
      const transaction = transactionArgument('transaction', given)
      return { transaction, id: idOf(transaction) }
    })
  } catch (error) {
    throw withOutcome(error, 'unsent')
  }
}

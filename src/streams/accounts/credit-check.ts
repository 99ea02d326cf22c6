import { concatMap, filter, from, map, mergeMap, switchMap, take, type Observable } from 'rxjs'
import { transactionId as idOf } from '../../model/transaction-id.js'
import { toScriptKey, type UtxoEntry } from '../../model/utxo.js'
import type { RpcBlock } from '../../node/messages/records.js'
import type { NodeLink } from '../session/node-link.js'
import type { FollowTransaction } from '../status/transaction-status.js'

/** Emits the entry once its credit is in the chain; completes without a value where it is not found. May error. */
export type CheckCredit = (entry: UtxoEntry) => Observable<UtxoEntry>

export interface CreditDeps extends Pick<NodeLink, 'call'> {
  readonly status: FollowTransaction
}

/** Blue score from the accepting block to the sink from which on a credit counts. */
const CONFIRMATIONS = 10

/** Ms after which the check of a credit that no chain block shows ends, until the next change of the UTXOs. */
const TIMEOUT = 60_000

/**
 * Checks a credit against the chain: a block that is deep enough accepts the transaction, a merged block has it, its id
 * is the hash of what it pays, and that is the entry. The UTXO index alone proves nothing: a node may report any entry.
 */
export const createCreditCheck =
  ({ status, call }: CreditDeps): CheckCredit =>
  (entry) =>
    status(entry.outpoint.transactionId, { confirmations: CONFIRMATIONS, timeout: TIMEOUT }).pipe(
      map(({ confirmations, acceptingBlockHash }) => (confirmations >= CONFIRMATIONS ? acceptingBlockHash : null)),
      filter((hash) => hash !== null),
      take(1),
      switchMap((hash) => mergedBlocks$(hash, call)),
      filter((block) => isCreditedBy(block, entry)),
      map(() => entry),
      take(1),
    )

/** The blocks that a chain block merged, with their transactions. */
const mergedBlocks$ = (hash: string, call: NodeLink['call']): Observable<RpcBlock> =>
  call('getBlock', { hash, includeTransactions: false }).pipe(
    mergeMap(({ block: { verboseData } }) =>
      from([...(verboseData?.mergeSetBluesHashes ?? []), ...(verboseData?.mergeSetRedsHashes ?? [])]),
    ),
    concatMap((merged) => call('getBlock', { hash: merged, includeTransactions: true })),
    map(({ block }) => block),
  )

function isCreditedBy(
  { transactions, verboseData }: RpcBlock,
  { outpoint, amount, scriptPublicKey }: UtxoEntry,
): boolean {
  const position = verboseData?.transactionIds.indexOf(outpoint.transactionId) ?? -1
  const transaction = transactions[position]
  const output = transaction?.outputs[outpoint.index]
  if (transaction === undefined || output === undefined) return false
  return (
    output.value === amount &&
    toScriptKey(output.scriptPublicKey) === toScriptKey(scriptPublicKey) &&
    idOf(transaction) === outpoint.transactionId
  )
}

import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { ChainRestError } from '../../errors/rest-error.js'
import type { SentIds } from '../../model/bounded-collections.js'
import { toTransaction as parseTransaction, type TransactionLike } from '../../model/serialized-transaction.js'
import { parseReply, UNSENT_HINT, unknownOutcomeHint, type ReplyMeaning } from '../../model/submission-reply.js'
import { transactionId as idOf } from '../../model/transaction-id.js'
import { requireFields } from '../../model/transaction-rules/fields.js'
import { relayViolation } from '../../model/transaction-rules/relay.js'
import { createTransaction, type Transaction } from '../../model/transaction.js'
import { Unexpected, isRecord } from '../decoding/shape.js'
import type {
  ChainRestSubmitTransactionResponse,
  ChainRestTransactionLike,
  ChainRestTransactionModel,
} from '../records/submission.js'
import { UNCACHED } from '../requests/prepared-request.js'
import { bool, submittedTransaction } from './arguments.js'
import type { CallEndpoint, Endpoint } from './endpoint.js'
import type { SubmitTransactionOptions, TransactionOperations } from './transactions.js'

const SUBMIT: Endpoint<'submission'> = {
  post: '/transactions',
  body: ['transaction', 'allowOrphan'],
  optional: ['allowOrphan'],
  query: { replaceByFee: bool },
  decoder: 'submission',
  cache: UNCACHED,
  once: true,
}

export interface SubmitDependencies {
  readonly call: CallEndpoint
  /** What the engine has sent by every path; without an engine, the client. */
  readonly sentIds: Pick<SentIds, 'add' | 'has'>
  readonly getTransactionAcceptance: TransactionOperations['getTransactionAcceptance']
}

/**
 * Submits a transaction; a replacement whose target the node lacks once more, as a plain transaction with the same
 * signature. Resolves once it is relayed, and with `error` and the outcome `unknown` where the node refuses it: the
 * server repeats submissions by itself, and another node may have it. Rejects with `ChainRestError`: `unsent` where it
 * is malformed or every node would refuse it, and the engine never sent it; everything else is `unknown`, because an
 * earlier process may have sent it.
 */
export async function submit(
  transaction: ChainRestTransactionLike,
  options: SubmitTransactionOptions = {},
  dependencies: SubmitDependencies,
): Promise<ChainRestSubmitTransactionResponse> {
  const { call, sentIds, getTransactionAcceptance } = dependencies
  const given = readTransaction(transaction)
  const id = given?.id
  const violation = given && relayViolation(given)
  const sent = { ...(id !== undefined && { transactionId: id }) }
  const verify = ({ transactionId: found }: ChainRestSubmitTransactionResponse): void => {
    if (found !== id) throw new Unexpected(`the response is about another transaction than ${id ?? ''}`)
  }
  try {
    const rule = () => requireRelayable(violation)
    await call({ ...SUBMIT, rule, verify, onSend: () => sentIds.add(id ?? '') }, { transaction }, options)
    return { ...sent, known: 'new' }
  } catch (error) {
    const meaning = meaningOf(error)
    if (meaning === 'no-target' && options.replaceByFee === true)
      return submit(transaction, { ...options, replaceByFee: false }, dependencies)
    if (meaning === 'in-mempool') return { ...sent, known: 'mempool' }
    if (meaning === 'was-in-block' && (await isAccepted())) return { ...sent, known: 'accepted' }
    const refusal = refusalOf(error)
    if (refusal !== undefined) return { ...sent, error: refusal, outcome: 'unknown' }
    const isUnsent = id === undefined || (violation !== undefined && !sentIds.has(id))
    throw toFailure(error, id, isUnsent)
  }

  /** A block that contained it may have been lost in a reorg. */
  async function isAccepted(): Promise<boolean> {
    const { signal } = options
    const [found] = await getTransactionAcceptance([id ?? ''], { signal, cache: false }).catch(() => [])
    return found?.accepted === true
  }
}

/** What the server's node replied; undefined where it did not refuse the transaction. */
function meaningOf(error: unknown): ReplyMeaning | undefined {
  const refusal = refusalOf(error)
  return refusal === undefined ? undefined : parseReply(refusal).meaning
}

/** The server's words for a refusal by its node; undefined for every other failure. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof ChainRestError) || error.reason === undefined || !isRecord(error.body)) return undefined
  return String(error.body.error)
}

function toFailure(failure: unknown, transactionId: string | undefined, isUnsent: boolean): unknown {
  if (!(failure instanceof ChainError)) return failure
  const error = failure as ChainError
  if (isUnsent) return Object.assign(error, { outcome: 'unsent', transactionId })
  return Object.assign(error, { outcome: 'unknown', transactionId, hint: hintOf(error) })
}

/** "Retry later" after a failure of the server is no remedy of a submission. */
function hintOf(error: ChainError): string {
  const isServerFailure = error instanceof ChainRestError && (error.status ?? 0) >= 500
  return unknownOutcomeHint(isServerFailure ? undefined : error.hint)
}

/** Throws `ChainError` where every node refuses the transaction. */
function requireRelayable(violation: string | undefined): void {
  if (violation === undefined) return
  throw invalidArgument('transaction', violation, UNSENT_HINT)
}

/** The transaction with the id that follows from it; undefined where it is malformed, which the call then rejects. */
function readTransaction(given: unknown): { readonly id: string; readonly transaction: Transaction } | undefined {
  try {
    const transaction = parse(given)
    requireFields(transaction, 'transaction')
    return { id: idOf(transaction), transaction }
  } catch (error) {
    if (error instanceof ChainError || error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * In the server's model; otherwise a serialized one, of which the server cannot take some, such as those with a
 * payload.
 */
function parse(given: unknown): Transaction {
  try {
    return toTransaction(submittedTransaction(given, 'transaction', undefined) as ChainRestTransactionModel)
  } catch {
    return parseTransaction(given as TransactionLike)
  }
}

/** The model of the server has no payload and no gas. */
function toTransaction({
  version,
  inputs,
  outputs,
  lockTime = 0,
  subnetworkId,
}: ChainRestTransactionModel): Transaction {
  return createTransaction({
    version,
    inputs: inputs.map((input) => ({ ...input, sequence: BigInt(input.sequence) })),
    outputs: outputs.map(({ amount, scriptPublicKey }) => ({
      value: BigInt(amount),
      scriptPublicKey: { version: scriptPublicKey.version, script: scriptPublicKey.scriptPublicKey },
    })),
    lockTime: BigInt(lockTime),
    subnetworkId: subnetworkId ?? '',
  })
}

import { loadCode } from '../../loading/load-code.js'
import { invalidArgument } from '../../errors/chain-error.js'
import type { SentIds } from '../../model/bounded-collections.js'
import { fields, hash, oneOf, bool, type Check } from './arguments.js'
import {
  verifyAmongTransactions,
  verifySame,
  verifyTransactions,
  createOperations,
  type Arguments,
  type CallEndpoint,
  type Endpoint,
  type Endpoints,
} from './endpoint.js'
import { ACCEPTANCE, COMPUTED, HISTORY, SETTLED, recomputed } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestTransactionAcceptance, ChainRestTransactionSearch } from '../records/acceptance.js'
import type {
  ChainRestSubmitTransactionResponse,
  ChainRestTxMass,
  ChainRestTransactionLike,
} from '../records/submission.js'
import type {
  ChainRestResolvePreviousOutpoints,
  ChainRestTransaction,
  ChainRestTransactionCountResponse,
} from '../records/transactions.js'

export interface ResolveOptions extends ChainRestRequestOptions {
  /** Detail of the outputs that the inputs spend. @default 'light', which `senderAddresses` requires */
  readonly resolvePreviousOutpoints?: ChainRestResolvePreviousOutpoints | undefined
}

export interface GetTransactionOptions extends ResolveOptions {
  /**
   * The including block, if known: speeds up the server's lookup. The server returns it unchecked as the only
   * `block_hash`, which is therefore omitted.
   */
  readonly blockHash?: string | undefined
  /** @default true */
  readonly inputs?: boolean | undefined
  /** @default true */
  readonly outputs?: boolean | undefined
}

export interface SearchTransactionsOptions extends ResolveOptions {
  /** The top-level fields of the returned records. @default all */
  readonly fields?: readonly string[] | string | undefined
  /** Only accepted, or only unaccepted transactions. Ignored in a search by blue scores, which are all accepted. */
  readonly acceptance?: 'accepted' | 'rejected' | undefined
}

export interface SubmitTransactionOptions extends ChainRestRequestOptions {
  /** Replaces a mempool transaction that spends the same outputs, for a higher feerate (RBF). */
  readonly replaceByFee?: boolean | undefined
  /** Most nodes reject orphans regardless. */
  readonly allowOrphan?: boolean | undefined
}

/** Lookup and submission of transactions. */
export interface TransactionOperations {
  /**
   * A transaction included in a block, accepted or not; null if unknown, as mempool transactions are. Where the indexer
   * does not have the previous transaction of an input, its address and amount are undefined, and `senderAddresses` is
   * incomplete or undefined. `searchTransactions` and the lists of an address have them for accepted transactions.
   */
  readonly getTransaction: (
    transactionId: string,
    options?: GetTransactionOptions,
  ) => Promise<ChainRestTransaction | null>
  /** Alias of `getTransaction`. */
  readonly getTransactionById: (
    transactionId: string,
    options?: GetTransactionOptions,
  ) => Promise<ChainRestTransaction | null>
  /** Newest first, regardless of the order of the ids; unknown ids are omitted. */
  readonly searchTransactions: (
    request: ChainRestTransactionSearch,
    options?: SearchTransactionsOptions,
  ) => Promise<ChainRestTransaction[]>
  /** Whether each was accepted, in the given order; false for an unknown id. */
  readonly getTransactionAcceptance: (
    transactionIds: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTransactionAcceptance[]>
  /** Total number of transactions. Rejects with status 503 on servers without counts. */
  readonly getTransactionsCount: (options?: ChainRestRequestOptions) => Promise<ChainRestTransactionCountResponse>
  /** Number of transactions per hour of a day, or per day of a month (UTC), oldest first. */
  readonly getTransactionsCountFor: (
    dayOrMonth: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTransactionCountResponse[]>
  /**
   * Submits a signed transaction and resolves with its id once it is relayed: the server's node took it now, has it in
   * its mempool, or a block had it and the indexer has seen it accepted. A refusal by the node is `error`, beside
   * `transactionId` and the outcome `unknown`. Rejects with the same two fields after a lost reply, or where the server
   * has lost its node. Never retried, and not queued behind reads. Where it is malformed or every node would refuse it,
   * the outcome is `unsent`.
   */
  readonly submitTransaction: (
    tx: ChainRestTransactionLike,
    options?: SubmitTransactionOptions,
  ) => Promise<ChainRestSubmitTransactionResponse>
  /** Masses of a transaction. Rejects with status 404 if the indexer does not know the spent outputs. */
  readonly calculateTransactionMass: (
    tx: ChainRestTransactionLike,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTxMass>
}

export const resolution: Check = /*#__PURE__*/ oneOf('no', 'light', 'full')
export const acceptance: Check = /*#__PURE__*/ oneOf('accepted', 'rejected')
/** `senderAddresses` requires resolved outpoints; the server resolves none by default. */
export const resolved = { resolvePreviousOutpoints: 'light' } as const

const TRANSACTION: Endpoint<'transactionOrNull'> = {
  get: '/transactions/{transactionId}',
  query: { blockHash: hash, inputs: bool, outputs: bool, resolvePreviousOutpoints: resolution },
  defaults: resolved,
  verify: verifyTransaction,
  decoder: 'transactionOrNull',
  cache: SETTLED,
  isSettled: (transaction) => transaction?.is_accepted === true,
}

/** The server sends a given block hash back unchecked, in place of those that it has indexed. */
function verifyTransaction(transaction: ChainRestTransaction | null, { transactionId, blockHash }: Arguments): void {
  if (transaction === null) return
  verifySame(transaction.transaction_id, transactionId, 'transaction')
  const { block_hash: [hash, ...others] = [] } = transaction
  if (hash === blockHash && others.length === 0) delete transaction.block_hash
}

const ENDPOINTS: Endpoints<Omit<TransactionOperations, 'searchTransactions' | 'submitTransaction'>> = {
  getTransaction: TRANSACTION,
  getTransactionById: TRANSACTION,
  getTransactionAcceptance: {
    post: '/transactions/acceptance',
    body: ['transactionIds'],
    verify: verifyTransactions,
    decoder: 'acceptances',
    cache: ACCEPTANCE,
  },
  getTransactionsCount: { get: '/transactions/count/', decoder: 'transactionsCount', cache: recomputed(300_000) },
  getTransactionsCountFor: { get: '/transactions/count/{dayOrMonth}', decoder: 'transactionsCounts', cache: HISTORY },
  calculateTransactionMass: {
    post: '/transactions/mass',
    body: 'transaction',
    decoder: 'transactionMass',
    cache: COMPUTED,
  },
}

const SEARCH: Endpoint<'transactions'> = {
  post: '/transactions/search',
  body: ['transactionIds', 'acceptingBlueScores'],
  optional: ['transactionIds', 'acceptingBlueScores'],
  query: { fields, resolvePreviousOutpoints: resolution, acceptance },
  defaults: resolved,
  rule: eitherIdsOrScores,
  verify: verifyAmongTransactions,
  decoder: 'transactions',
  cache: ACCEPTANCE,
}

function eitherIdsOrScores({ transactionIds, acceptingBlueScores }: Arguments): void {
  const [hasIds, hasScores] = [isGiven(transactionIds), isGiven(acceptingBlueScores)]
  if (hasIds && hasScores && !isEmpty(transactionIds)) {
    throw invalidArgument('acceptingBlueScores', '"acceptingBlueScores" cannot be combined with "transactionIds"')
  }
  if (!hasIds && !hasScores) {
    throw invalidArgument('transactionIds', 'One of transactionIds and acceptingBlueScores must be given')
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** `invalidate` removes cached responses by path prefix: a submission invalidates those of addresses. */
export function createTransactionOperations(
  call: CallEndpoint,
  invalidate: (path: string) => void,
  sentIds: SentIds,
): TransactionOperations {
  const operations = createOperations(call, ENDPOINTS)
  const { getTransactionAcceptance } = operations
  return {
    ...operations,
    searchTransactions: (request, options) => call(SEARCH, { ...request }, options),
    async submitTransaction(transaction, options) {
      const { submit } = await loadCode(() => import('./submit.js'))
      try {
        return await submit(transaction, options, { call, sentIds, getTransactionAcceptance })
      } finally {
        // on failure too: a refusal may reveal spent UTXOs, a timeout leaves the outcome unknown
        invalidate('/addresses/')
      }
    },
  }
}

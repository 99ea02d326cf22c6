import { invalidArgument } from '../../errors/chain-error.js'
import { fields, hash, oneOf, yesOrNo, type Check } from './arguments.js'
import { createOperations, type Arguments, type Ask, type Endpoint, type Endpoints } from './endpoint.js'
import { ACCEPTANCE, COMPUTED, HISTORY, NEVER, SETTLED, slow } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestTransactionAcceptance } from '../records/acceptance.js'
import type { RestTransactionSearch } from '../records/search.js'
import type { ChainRestSubmitTransactionResponse, ChainRestTxMass, RestTransaction } from '../records/submission.js'
import type {
  ChainRestResolvePreviousOutpoints,
  ChainRestTransaction,
  ChainRestTransactionCountResponse,
} from '../records/transactions.js'

export interface ResolveOptions extends ChainRestRequestOptions {
  /** How much is told of what the inputs spend. @default 'light', which is what `senderAddresses` are made of */
  readonly resolvePreviousOutpoints?: ChainRestResolvePreviousOutpoints | undefined
}

export interface GetTransactionOptions extends ResolveOptions {
  /** The block that includes it, where it is known: the server finds it faster. */
  readonly blockHash?: string | undefined
  /** @default true */
  readonly inputs?: boolean | undefined
  /** @default true */
  readonly outputs?: boolean | undefined
}

export interface SearchTransactionsOptions extends ResolveOptions {
  /** The top-level fields to answer with. @default all */
  readonly fields?: readonly string[] | string | undefined
  /** Only accepted ones, or only others. Ignored in a search by blue scores, which are all accepted. */
  readonly acceptance?: 'accepted' | 'rejected' | undefined
}

export interface SubmitTransactionOptions extends ChainRestRequestOptions {
  /** Takes the place of a transaction in the mempool that spends the same, for a higher fee rate. */
  readonly replaceByFee?: boolean | undefined
  /** Most nodes refuse orphans whatever is said here. */
  readonly allowOrphan?: boolean | undefined
}

/** Transactions that the indexer knows, and new ones for the network. */
export interface TransactionOperations {
  /** A transaction that is in a block, accepted or not; null where the indexer knows none (the mempool's are unknown to it). */
  readonly getTransaction: (
    transactionId: string,
    options?: GetTransactionOptions,
  ) => Promise<ChainRestTransaction | null>
  /** The same. */
  readonly getTransactionById: (
    transactionId: string,
    options?: GetTransactionOptions,
  ) => Promise<ChainRestTransaction | null>
  /** Newest first, whatever the order of the ids; what is unknown is left out. */
  readonly searchTransactions: (
    request: RestTransactionSearch,
    options?: SearchTransactionsOptions,
  ) => Promise<ChainRestTransaction[]>
  /** Whether each was accepted, in the order asked; an unknown id is not. */
  readonly getTransactionAcceptance: (
    transactionIds: readonly string[],
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTransactionAcceptance[]>
  /** How many transactions there ever were. Rejects with status 503 where the server does not count. */
  readonly getTransactionsCount: (options?: ChainRestRequestOptions) => Promise<ChainRestTransactionCountResponse>
  /** How many transactions each hour of a day, or each day of a month (UTC), brought, oldest first. */
  readonly getTransactionsCountFor: (
    dayOrMonth: string,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTransactionCountResponse[]>
  /**
   * Hands a signed transaction to the node. Resolves with its id, or with the node's refusal in `error`. Sent once, never
   * repeated: after a rejection (`timeout`, `network`) nobody knows the outcome, so look for the id before trying again.
   */
  readonly submitTransaction: (
    tx: RestTransaction,
    options?: SubmitTransactionOptions,
  ) => Promise<ChainRestSubmitTransactionResponse>
  /** What a transaction weighs. Rejects with status 404 where the indexer does not know what it spends. */
  readonly calculateTransactionMass: (
    tx: RestTransaction,
    options?: ChainRestRequestOptions,
  ) => Promise<ChainRestTxMass>
}

export const resolution: Check = /*#__PURE__*/ oneOf('no', 'light', 'full')
export const acceptance: Check = /*#__PURE__*/ oneOf('accepted', 'rejected')
/** Senders are made of resolved outpoints, and the server resolves none unless it is told to. */
export const resolved = { resolvePreviousOutpoints: 'light' } as const

const TRANSACTION: Endpoint<'transactionOrNull'> = {
  get: '/transactions/{transactionId}',
  query: { blockHash: hash, inputs: yesOrNo, outputs: yesOrNo, resolvePreviousOutpoints: resolution },
  usual: resolved,
  reads: 'transactionOrNull',
  keep: SETTLED,
  isSettled: (transaction) => transaction?.is_accepted === true,
}

const ENDPOINTS: Endpoints<Omit<TransactionOperations, 'searchTransactions' | 'submitTransaction'>> = {
  getTransaction: TRANSACTION,
  getTransactionById: TRANSACTION,
  getTransactionAcceptance: {
    post: '/transactions/acceptance',
    body: ['transactionIds'],
    reads: 'acceptances',
    keep: ACCEPTANCE,
  },
  getTransactionsCount: { get: '/transactions/count/', reads: 'transactionsCount', keep: slow(300_000) },
  getTransactionsCountFor: { get: '/transactions/count/{dayOrMonth}', reads: 'transactionsCounts', keep: HISTORY },
  calculateTransactionMass: {
    post: '/transactions/mass',
    body: 'transaction',
    reads: 'transactionMass',
    keep: COMPUTED,
  },
}

const SEARCH: Endpoint<'transactions'> = {
  post: '/transactions/search',
  body: ['transactionIds', 'acceptingBlueScores'],
  optional: ['transactionIds', 'acceptingBlueScores'],
  query: { fields, resolvePreviousOutpoints: resolution, acceptance },
  usual: resolved,
  rule: eitherIdsOrScores,
  reads: 'transactions',
  keep: ACCEPTANCE,
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

const SUBMIT: Endpoint<'submission'> = {
  post: '/transactions',
  body: ['transaction', 'allowOrphan'],
  optional: ['allowOrphan'],
  query: { replaceByFee: yesOrNo },
  reads: 'submission',
  keep: NEVER,
  once: true,
}

/** `forget` drops kept answers by the beginning of their path: what was known of addresses ends with a submission. */
export function createTransactionOperations(ask: Ask, forget: (path: string) => void): TransactionOperations {
  return {
    ...createOperations(ask, ENDPOINTS),
    searchTransactions: (request, options) => ask(SEARCH, { ...request }, options),
    async submitTransaction(transaction, options) {
      try {
        return await ask(SUBMIT, { transaction }, options)
      } finally {
        // whatever comes of it: a refusal tells of coins that are spent already, a timeout leaves all open
        forget('/addresses/')
      }
    },
  }
}

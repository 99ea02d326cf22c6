import { ipArgument, peerArgument, validateArguments, transactionArgument } from './checks.js'
import {
  unchanged,
  emptyRequest,
  noResult,
  type QueryTable,
  type QueryEntry,
  type QueryResult,
  type SimpleQuery,
  toServerInfo,
} from './results.js'
import { BLOCK_QUERIES } from './block-queries.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { QueryDeps } from './call.js'
import { UTXO_QUERIES, outpointQuery } from './utxo-queries.js'
import type { RpcQueries } from './rpc-queries.js'
import { withOutcome } from '../../errors/with-outcome.js'
import { NETWORKS } from '../../model/network.js'
import type { TransactionLike } from '../../model/serialized-transaction.js'
import type { Transaction } from '../../model/transaction.js'
import { transactionId as idOf } from '../../model/transaction-id.js'
import { findTransaction, knownByReply } from '../submission/find-transaction.js'
import { submitToNode, toUnknownOutcome } from '../submission/submit-to-node.js'

const ALL_METRICS = {
  processMetrics: true,
  connectionMetrics: true,
  bandwidthMetrics: true,
  consensusMetrics: true,
  storageMetrics: true,
  customMetrics: false,
}

/** Queries about the node and its peers. */
const NODE_QUERIES: Pick<
  QueryTable,
  | 'ping'
  | 'getServerInfo'
  | 'getSyncStatus'
  | 'getCurrentNetwork'
  | 'getConnectedPeerInfo'
  | 'getPeerAddresses'
  | 'getMetrics'
  | 'getSystemInfo'
  | 'getConnections'
  | 'addPeer'
  | 'ban'
  | 'unban'
  | 'shutdown'
> = {
  ping: { argumentCount: 0, request: emptyRequest, result: noResult },
  getServerInfo: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getSyncStatus: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getCurrentNetwork: { argumentCount: 0, request: emptyRequest, result: ({ network }) => network },
  getConnectedPeerInfo: { argumentCount: 0, request: emptyRequest, result: ({ peerInfo }) => [...peerInfo] },
  getPeerAddresses: {
    argumentCount: 0,
    request: emptyRequest,
    result: ({ knownAddresses, bannedAddresses }) => ({
      known: [...knownAddresses],
      banned: bannedAddresses.map((ip) => ({ ip })),
    }),
  },
  getMetrics: { argumentCount: 0, request: () => ALL_METRICS, result: unchanged },
  getSystemInfo: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getConnections: { argumentCount: 0, request: () => ({ includeProfileData: true }), result: unchanged },
  addPeer: {
    argumentCount: 2,
    request: (_network, peerAddress, isPermanent = false) => ({
      peerAddress: peerArgument('peerAddress', peerAddress),
      isPermanent,
    }),
    result: noResult,
  },
  ban: { argumentCount: 1, request: (_network, ip) => ({ ip: ipArgument('ip', ip) }), result: noResult },
  unban: { argumentCount: 1, request: (_network, ip) => ({ ip: ipArgument('ip', ip) }), result: noResult },
  shutdown: { argumentCount: 0, request: emptyRequest, result: noResult },
}

const TABLE: QueryTable = /*#__PURE__*/ Object.assign({}, NODE_QUERIES, BLOCK_QUERIES, UTXO_QUERIES)

export function createQueries(deps: QueryDeps): RpcQueries {
  const names = Object.keys(TABLE) as SimpleQuery[]
  const simple = Object.fromEntries(names.map((name) => [name, createQuery(name, deps)]))
  return {
    ...(simple as Pick<RpcQueries, SimpleQuery>),
    getInfo: (options) => getInfo(deps, options),
    getUtxosByOutpoints: (outputs, options) => outpointQuery(outputs, deps, options),
    submitTransaction: (transaction, allowOrphan = false, options) =>
      submitQuery('submitTransaction', { transaction, allowOrphan }, deps, options),
    submitTransactionReplacement: (transaction, options) =>
      submitQuery('submitTransactionReplacement', { transaction }, deps, options),
  }
}

type Query<Q extends SimpleQuery> = (...args: Parameters<RpcQueries[Q]>) => Promise<QueryResult<Q>>

function createQuery<Q extends SimpleQuery>(name: Q, { call, network }: QueryDeps): Query<Q> {
  const entry: QueryEntry<Q> = TABLE[name]
  return async (...args): Promise<QueryResult<Q>> => {
    const request = validateArguments(name, () => entry.request(network(), ...args))
    const response = await call(name, request, args[entry.argumentCount] as AbortOptions | undefined)
    return entry.result(response, ...args)
  }
}

async function getInfo({ call }: QueryDeps, options?: AbortOptions): ReturnType<RpcQueries['getInfo']> {
  const [server, info] = await Promise.all([call('getServerInfo', {}, options), call('getInfo', {}, options)])
  return toServerInfo(server, info)
}

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
async function submitQuery(
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

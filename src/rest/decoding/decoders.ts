import { isRecord, Mismatch, type Shape } from './shape.js'
import { acceptances, virtualChain, virtualChainFromBlock } from '../records/acceptance.js'
import {
  activeCount,
  activeCounts,
  activities,
  addressName,
  addressNames,
  balanceEntries,
  balanceEntry,
  balanceHistory,
  distributionTiers,
  topAddresses,
  transactionCount,
  utxoCount,
  utxoList,
  utxos,
} from '../records/addresses.js'
import { block, blockList, blocks } from '../records/blocks.js'
import { chaindInfo, health, isHealthReport } from '../records/health.js'
import {
  blockReward,
  blockdag,
  blueScore,
  coinSupply,
  feeEstimate,
  halving,
  hashrate,
  hashrateHistory,
  marketCap,
  maxHashrate,
  price,
} from '../records/network.js'
import { isNodeRejection, submission, submissionFailure, transactionMass, type Failure } from '../records/submission.js'
import {
  isNotFound,
  transactionOrNull,
  transactionPage,
  transactions,
  transactionsCount,
  transactionsCounts,
} from '../records/transactions.js'

/** The server's explanation: a text or, for validation errors of its framework, a list of `{ loc, msg }`. */
export function toReason(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  return detail.map((item) => (isRecord(item) ? `${String(item.loc)}: ${String(item.msg)}` : '')).join('; ')
}

const SWITCHED_OFF = 'The endpoint is switched off on this server: use another server.'

export function toHint(status: number, detail: unknown): string {
  if (status === 404 && detail === 'Not Found') return 'The server has no such route: check baseUrl.'
  if (status === 404) return 'The indexer does not know it; a new transaction appears once a block includes it.'
  if (status === 405) return 'The server does not allow this method on this path: check path and baseUrl.'
  if (status === 413) return 'The request is too long for the server: pass fewer entries per call.'
  if (status === 429) return 'Send fewer requests, or run your own indexer; `retryAfter` is the time to wait in ms.'
  if (status === 503 && typeof detail === 'string') return SWITCHED_OFF
  if (status >= 500) return 'The indexer or its node failed: try again later.'
  return 'The server rejected the request; see `body`.'
}

/** A value that the server sends as text. */
const plainText = (body: unknown): string => {
  if (typeof body !== 'string' || body === '') throw new Mismatch('the response is not text')
  return body
}

/** A number that the server sends as text, in Python notation: `26900000000.0`, `4e-05`. */
const decimalText = (body: unknown): string => {
  const text = plainText(body)
  if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) throw new Mismatch('the response is not a number')
  return text
}

/** Decoders of responses: a shape, or a function if headers or several shapes are involved. */
export const decoders = {
  acceptances,
  activeCount,
  activeCounts,
  activities,
  addressName,
  addressNames,
  anything: (body: unknown): unknown => body,
  balanceEntries,
  balanceEntry,
  balanceHistory,
  block,
  blockList,
  blockReward,
  blockdag,
  blocks,
  blueScore,
  chaindInfo,
  coinSupply,
  decimalText,
  distributionTiers,
  feeEstimate,
  halving,
  hashrate,
  hashrateHistory,
  health,
  marketCap,
  maxHashrate,
  plainText,
  price,
  submission,
  topAddresses,
  transactionCount,
  transactionMass,
  transactionOrNull,
  transactionPage,
  transactions,
  transactionsCount,
  transactionsCounts,
  utxoCount,
  utxoList,
  utxos,
  virtualChain,
  virtualChainFromBlock,
}

/** Error statuses that are valid results of the endpoint. */
export const acceptsErrorStatus: Readonly<Partial<Record<DecoderName, (status: number, body: unknown) => boolean>>> = {
  health: isHealthReport,
  submission: isNodeRejection,
  transactionOrNull: isNotFound,
}

/** Failures of the server that it reports as a result. */
export const explainsFailure: Readonly<Partial<Record<DecoderName, (body: unknown) => Failure | undefined>>> = {
  submission: submissionFailure,
}

/**
 * Hints for error statuses that mean something else than elsewhere: a server without this route has it switched off.
 */
export const hintsByStatus: Readonly<Partial<Record<DecoderName, Readonly<Record<number, string>>>>> = {
  virtualChainFromBlock: { 404: SWITCHED_OFF },
}

export type DecoderName = keyof typeof decoders

/** The result type of each decoder. */
export type Decoded = {
  [Name in DecoderName]: (typeof decoders)[Name] extends Shape<infer T>
    ? T
    : (typeof decoders)[Name] extends (...args: never[]) => infer T
      ? T
      : never
}

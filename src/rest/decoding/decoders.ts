import { acceptances } from '../records/acceptance.js'
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
import { utxoCount, utxoList, utxos } from '../records/utxos.js'
import { virtualChain, virtualChainFromBlock } from '../records/virtual-chain.js'
import { SWITCHED_OFF } from './explain.js'
import { Mismatch, type Shape } from './shape.js'

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

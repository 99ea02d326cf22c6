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
import { isVerdict, submission, transactionMass } from '../records/submission.js'
import {
  isUnknown,
  transactionOrNull,
  transactionPage,
  transactions,
  transactionsCount,
  transactionsCounts,
} from '../records/transactions.js'
import { utxoCount, utxoList, utxos } from '../records/utxos.js'
import { virtualChain, virtualChainFromBlock } from '../records/virtual-chain.js'
import { Mismatch, type Shape } from './shape.js'

/** A value that the server sends as text. */
const plainText = (body: unknown): string => {
  if (typeof body !== 'string' || body === '') throw new Mismatch('the answer is not text')
  return body
}

/** A number that the server sends as text, as its own language writes it: `26900000000.0`, `4e-05`. */
const decimalText = (body: unknown): string => {
  const text = plainText(body)
  if (!/^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) throw new Mismatch('the answer is not a number')
  return text
}

/** How each kind of answer is read: by its shape, or by a function where headers count or several shapes are meant. */
export const readers = {
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

/** Statuses that are no success, and yet the answer to the question. */
export const acceptable: Readonly<Partial<Record<ReaderName, (status: number, body: unknown) => boolean>>> = {
  health: isHealthReport,
  submission: isVerdict,
  transactionOrNull: isUnknown,
}

export type ReaderName = keyof typeof readers

/** What each reader makes. */
export type Made = {
  [Name in ReaderName]: (typeof readers)[Name] extends Shape<infer T>
    ? T
    : (typeof readers)[Name] extends (...args: never[]) => infer T
      ? T
      : never
}

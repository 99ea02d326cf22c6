import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import { MAX_SOMPI, isPossibleAmount } from '../../model/amount.js'
import {
  Mismatch,
  Unexpected,
  isRecord,
  decodeShape,
  type RecordShape,
  type Shape,
  type WireRecord,
} from '../decoding/shape.js'

/** Detail of the outputs that inputs spend: nothing, address and amount, or the whole output. */
export type ChainRestResolvePreviousOutpoints = 'no' | 'light' | 'full'

/** An output as the indexer stores it. */
export interface ChainRestTransactionOutput {
  transaction_id?: string
  index?: number
  /** Sompi, rounded to a double above 2^53. */
  amount?: number
  amountExact?: bigint
  script_public_key?: string
  script_public_key_address?: string
  script_public_key_type?: string
}

/**
 * An input as the indexer stores it. The spent output is set only if previous outpoints are resolved and, in a query by
 * id, if the indexer has the previous transaction.
 */
export interface ChainRestTransactionInput {
  transaction_id?: string
  index?: number
  previous_outpoint_hash?: string
  /** Decimal text. */
  previous_outpoint_index?: string
  previous_outpoint_resolved?: ChainRestTransactionOutput
  previous_outpoint_address?: string
  /** Sompi, rounded to a double above 2^53. */
  previous_outpoint_amount?: number
  previous_outpoint_amountExact?: bigint
  signature_script?: string
  /** Decimal text. */
  sig_op_count?: string
}

/**
 * A transaction as the indexer stores it: included in a block, accepted or not; never only in the mempool. The fields
 * in camelCase are copies of those in snake_case. `senderAddresses` are the distinct addresses that the inputs spend
 * from: undefined if none is known, incomplete where the indexer does not have the previous transaction of an input.
 */
export interface ChainRestTransaction {
  subnetwork_id?: string
  transaction_id?: string
  transactionId?: string
  hash?: string
  /** Grams, decimal text. */
  mass?: string
  payload?: string
  block_hash?: string[]
  /** Unix milliseconds. */
  block_time?: number
  version?: number
  is_accepted?: boolean
  accepting_block_hash?: string
  acceptingBlockHash?: string
  accepting_block_blue_score?: number
  acceptingBlockBlueScore?: number
  /** Unix milliseconds. */
  accepting_block_time?: number
  acceptingBlockTime?: number
  inputs?: ChainRestTransactionInput[]
  outputs?: ChainRestTransactionOutput[]
  senderAddresses?: string[]
}

/** Number of transactions of an hour, or in total. */
export interface ChainRestTransactionCountResponse {
  /** Unix milliseconds. */
  timestamp: number
  dateTime: string
  coinbase: number
  regular: number
}

const output: RecordShape<ChainRestTransactionOutput> = {
  may: {
    transaction_id: 'text',
    index: 'u32',
    amount: 'u64',
    script_public_key: 'text',
    script_public_key_address: 'text',
    script_public_key_type: 'text',
  },
}

const input: RecordShape<ChainRestTransactionInput> = {
  may: {
    transaction_id: 'text',
    index: 'u32',
    previous_outpoint_hash: 'text',
    previous_outpoint_index: 'countDigits',
    previous_outpoint_resolved: output,
    previous_outpoint_address: 'text',
    previous_outpoint_amount: 'u64',
    signature_script: 'text',
    sig_op_count: 'countDigits',
  },
}

export const transaction: RecordShape<ChainRestTransaction> = {
  rename: addCopies,
  may: {
    subnetwork_id: 'text',
    transaction_id: 'text',
    transactionId: 'text',
    hash: 'text',
    mass: 'countDigits',
    payload: 'text',
    block_hash: 'texts',
    block_time: 'time',
    version: 'u32',
    is_accepted: 'flag',
    accepting_block_hash: 'text',
    acceptingBlockHash: 'text',
    accepting_block_blue_score: 'count',
    acceptingBlockBlueScore: 'count',
    accepting_block_time: 'time',
    acceptingBlockTime: 'time',
    inputs: { each: input },
    outputs: { each: output },
    senderAddresses: 'texts',
  },
}

/** The server sends snake_case only, and no senders. */
function addCopies(record: WireRecord): void {
  record.transactionId = record.transaction_id
  record.acceptingBlockHash = record.accepting_block_hash
  record.acceptingBlockBlueScore = record.accepting_block_blue_score
  record.acceptingBlockTime = record.accepting_block_time
  record.senderAddresses = sendersOf(record.inputs)
}

function sendersOf(inputs: unknown): string[] | undefined {
  const spent = Array.isArray(inputs) ? inputs.filter(isRecord).map((record) => record.previous_outpoint_address) : []
  const senders = new Set(spent.filter((address) => typeof address === 'string'))
  return senders.size > 0 ? [...senders] : undefined
}

export const transactions: Shape<ChainRestTransaction[]> = { each: transaction }

/** A page and its cursors (block times); undefined at the end. */
export interface ChainRestTransactionPage {
  readonly transactions: ChainRestTransaction[]
  readonly before: number | undefined
  readonly after: number | undefined
}

export const transactionPage = (body: unknown, headers: Headers): ChainRestTransactionPage => ({
  transactions: requirePossible(decodeShape(transactions, body)),
  before: cursorOf(headers, 'x-next-page-before'),
  after: cursorOf(headers, 'x-next-page-after'),
})

/**
 * The rows of a page become a history of transfers, so one whose amounts cannot be makes the page
 * `unexpected-response`.
 */
function requirePossible(page: ChainRestTransaction[]): ChainRestTransaction[] {
  for (const row of page) {
    const { inputs = [], outputs = [] } = row
    requireSupply(inputs.map(({ previous_outpoint_amountExact: amount }) => amount))
    requireSupply(outputs.map(({ amountExact }) => amountExact))
    outputs.forEach(requireScriptOfAddress)
  }
  return page
}

function requireSupply(amounts: readonly (bigint | undefined)[]): void {
  let sum = 0n
  for (const amount of amounts) {
    if (amount === undefined) continue
    if (!isPossibleAmount(amount)) throw new Unexpected('an amount is not from 1 to the maximum supply')
    sum += amount
  }
  if (sum > MAX_SOMPI) throw new Unexpected('the amounts of a transaction exceed the maximum supply')
}

/** An output pays to the address that it is listed with. */
function requireScriptOfAddress({
  script_public_key_address: address,
  script_public_key: script,
}: ChainRestTransactionOutput): void {
  if (address === undefined || script === undefined) return
  if (!isValidAddress(address) || toScriptPublicKey(address).script !== script)
    throw new Unexpected('an address is not that of its script')
}

/** A block time, Unix milliseconds; absent at the end. */
function cursorOf(headers: Headers, name: string): number | undefined {
  const time = headers.get(name)
  if (time === null) return undefined
  if (!/^\d{1,15}$/.test(time)) throw new Mismatch(`the header ${name} is not a time`)
  return Number(time)
}

/** Whether the record is unknown; "Not Found" is the detail of an unknown route. */
export const isNotFound = (status: number, body: unknown): boolean =>
  status === 404 && isRecord(body) && 'detail' in body && body.detail !== 'Not Found'

/** A transaction, or null if the server does not know it. */
export const transactionOrNull = (body: unknown): ChainRestTransaction | null =>
  isNotFound(404, body) ? null : decodeShape<ChainRestTransaction>(transaction, body)

export const transactionsCount: RecordShape<ChainRestTransactionCountResponse> = {
  has: { timestamp: 'time', dateTime: 'text', coinbase: 'count', regular: 'count' },
}

export const transactionsCounts: Shape<ChainRestTransactionCountResponse[]> = { each: transactionsCount }

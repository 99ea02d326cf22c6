import type { ChainEngine } from '../engine/engine.js'
import { invalidArgument, type ChainError, refuseUnknown } from '../errors/chain-error.js'
import { decodeAddress } from '../model/address.js'
import type { FeeRateName } from '../operations/transactions/plan/fee.js'
import { requireSigner } from '../operations/transactions/sign/sign-with-keys.js'
import type { TransactionSigner } from '../sdk/port.js'
import type { ChainLogger } from '../platform/port.js'
import type { PayoutJournal } from '../streams/payouts/journal.js'

/** How payments share transactions. */
export interface BatchOptions {
  /** How long, in ms, a payment waits for others that share its transaction. @default 1_000 */
  readonly maxWait?: number | undefined
  /** Payments of one transaction, at most; no more than the signer can sign. @default 200 */
  readonly maxOutputs?: number | undefined
  /**
   * Grams of storage mass of the payments of one transaction, at most: 10¹² divided by the sompi of each. @default
   * 450_000n
   */
  readonly maxStorageMass?: bigint | undefined
  /** How many UTXOs the wallet should have: change is divided where it has fewer than half. @default 10 */
  readonly splitTo?: number | undefined
  /**
   * How many payments that are not settled another one may depend on, up to 10: it spends their change as soon as a
   * node has them. One whose change is spent can be neither replaced nor cancelled. @default 0, only settled change is
   * spent
   */
  readonly chainDepth?: number | undefined
}

/** What transactions pay. */
export interface FeeOptions {
  /** Sompi per gram, or the node's estimate by name. @default 'normal' */
  readonly feeRate?: number | FeeRateName | undefined
  /** Sompi that one transaction pays at most, its replacements included. @default 100_000_000n, 1 KAS */
  readonly maxFee?: bigint | undefined
  /** After how many ms in the mempool a transaction is replaced by one with twice the fee rate. @default 30_000 */
  readonly bumpAfter?: number | undefined
  /** Sompi per gram up to which that happens. @default 10_000 */
  readonly maxBumpRate?: number | undefined
}

/** The options of a queue, apart from what signs. */
export interface QueueOptions {
  /** An engine with `reconnect: { maxRetries: Infinity }`, which the queue does not dispose of. */
  readonly engine: ChainEngine
  readonly journal: PayoutJournal
  /** The column `wallet`, and a part of the lease. One name is one set of addresses. @default the first address */
  readonly name?: string | undefined
  /** Where payments are made from. While the queue exists, nothing else may pay from them. */
  readonly addresses: readonly string[]
  /** One of `addresses`. @default the first one */
  readonly changeAddress?: string | undefined
  /**
   * How deep a block must be below the sink, in blue score, until its payments are settled. 100 are about ten seconds.
   */
  readonly minConfirmations: number
  /** Sompi of a payment, at least: smaller ones cost much storage mass. @default 20_000_000n, 0.2 KAS */
  readonly minAmount?: bigint | undefined
  /** Whether payments to scripts are accepted. @default false */
  readonly allowScripts?: boolean | undefined
  /** After how many ms a transaction is submitted again that the chain does not have. @default 10_000 */
  readonly submitInterval?: number | undefined
  readonly batch?: BatchOptions | undefined
  readonly fee?: FeeOptions | undefined
  /** @default a logger that writes nothing */
  readonly logger?: ChainLogger | undefined
}

/** What signs: the keys of all addresses (32 bytes, hex), or a signer that has them. */
export type PayoutsOptions = QueueOptions &
  (
    | { readonly privateKeys: readonly string[]; readonly signer?: undefined }
    | { readonly signer: TransactionSigner; readonly privateKeys?: undefined }
  )

/** The options with their defaults. */
export interface CheckedOptions {
  readonly journal: PayoutJournal
  readonly name: string
  readonly addresses: readonly string[]
  readonly changeAddress: string
  readonly minConfirmations: number
  readonly minAmount: bigint
  readonly allowScripts: boolean
  readonly submitInterval: number
  readonly keysOrSigner: readonly string[] | TransactionSigner
  /** The limits that plans obey. */
  readonly signer: TransactionSigner | undefined
  readonly batch: {
    readonly maxWait: number
    readonly maxOutputs: number
    readonly maxStorageMass: bigint
    readonly splitTo: number
    readonly chainDepth: number
  }
  readonly fee: {
    readonly feeRate: number | FeeRateName
    readonly maxFee: bigint
    readonly bumpAfter: number
    readonly maxBumpRate: number
  }
}

const NAMES = [
  'engine',
  'journal',
  'name',
  'addresses',
  'changeAddress',
  'minConfirmations',
  'minAmount',
  'allowScripts',
  'submitInterval',
  'batch',
  'fee',
  'logger',
  'privateKeys',
  'signer',
] satisfies (keyof PayoutsOptions)[]

/** Throws `ChainError` (`invalid-argument`). */
export function checkPayoutsOptions(options: PayoutsOptions): CheckedOptions {
  refuseUnknown(options, NAMES)
  const { journal, privateKeys, signer, allowScripts = false, minAmount = 20_000_000n } = options
  const addresses = checkAddresses(options.addresses)
  const [first = ''] = addresses
  const { name = first, changeAddress = first } = options
  if (!addresses.includes(changeAddress))
    throw invalidArgument('changeAddress', '"changeAddress" is none of "addresses"', 'Change pays the next payments.')
  if (typeof name !== 'string' || name === '' || name.length > 255 || name.includes('\0'))
    throw invalidArgument('name', '"name" must be a text of 1 to 255 characters')
  if ((privateKeys === undefined) === (signer === undefined))
    throw invalidArgument('signer', 'Pass either "privateKeys" or "signer"')
  if (signer !== undefined) requireSigner(signer)
  if (typeof allowScripts !== 'boolean') throw invalidArgument('allowScripts', '"allowScripts" must be true or false')
  return {
    journal,
    name,
    addresses,
    changeAddress,
    allowScripts,
    minConfirmations: checkNumber('minConfirmations', options.minConfirmations, 0),
    minAmount: checkAmount('minAmount', minAmount),
    submitInterval: checkNumber('submitInterval', options.submitInterval ?? 10_000, 1),
    keysOrSigner: signer ?? toFrozen(privateKeys),
    signer,
    batch: checkBatch(options.batch ?? {}, signer?.limits?.maxRecipients),
    fee: checkFee(options.fee ?? {}),
  }
}

/** Keys of a frozen array are read once. What is no array is refused with the first signature. */
function toFrozen(keys: readonly string[]): readonly string[] {
  const isArray: boolean = Array.isArray(keys)
  return isArray ? Object.freeze([...keys]) : keys
}

function checkAddresses(given: unknown): readonly string[] {
  if (!Array.isArray(given) || given.length === 0)
    throw invalidArgument('addresses', '"addresses" must be an array of addresses, not empty')
  given.forEach((address: unknown, at) => decodeAddress(String(address), `addresses[${at}]`))
  return [...new Set(given.map(String))]
}

const BATCH_NAMES = [
  'maxWait',
  'maxOutputs',
  'maxStorageMass',
  'splitTo',
  'chainDepth',
] satisfies (keyof BatchOptions)[]

/** A longer chain makes more payments impossible where its first one is. */
const MAX_CHAIN = 10

/** `maxRecipients` is that of the signer. */
function checkBatch(batch: BatchOptions, maxRecipients = Infinity): CheckedOptions['batch'] {
  refuseUnknown(batch, BATCH_NAMES)
  const { maxWait = 1_000, maxOutputs = 200, maxStorageMass = 450_000n, splitTo = 10, chainDepth = 0 } = batch
  if (typeof maxStorageMass !== 'bigint' || maxStorageMass < 1n || maxStorageMass > 500_000n)
    throw invalidArgument('batch.maxStorageMass', '"batch.maxStorageMass" must be a bigint from 1 to 500,000 grams')
  return {
    maxWait: checkNumber('batch.maxWait', maxWait, 0),
    maxOutputs: Math.min(maxRecipients, checkNumber('batch.maxOutputs', maxOutputs, 1, MAX_PAYMENTS)),
    maxStorageMass,
    splitTo: checkNumber('batch.splitTo', splitTo, 1, 100),
    chainDepth: checkNumber('batch.chainDepth', chainDepth, 0, MAX_CHAIN),
  }
}

/** Outputs of a transaction, 1,000, less those that are one's own. */
const MAX_PAYMENTS = 900

function checkFee(fee: FeeOptions): CheckedOptions['fee'] {
  refuseUnknown(fee, ['feeRate', 'maxFee', 'bumpAfter', 'maxBumpRate'] satisfies (keyof FeeOptions)[])
  const { feeRate = 'normal', maxFee = 100_000_000n, bumpAfter = 30_000, maxBumpRate = 10_000 } = fee
  return {
    feeRate,
    maxFee: checkAmount('fee.maxFee', maxFee),
    bumpAfter: checkNumber('fee.bumpAfter', bumpAfter, 1),
    maxBumpRate: checkNumber('fee.maxBumpRate', maxBumpRate, 0),
  }
}

function checkNumber(argument: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value
  throw invalidNumber(argument, least, most)
}

const invalidNumber = (argument: string, least: number, most: number): ChainError =>
  invalidArgument(
    argument,
    `"${argument}" is no whole number from ${least}${most < Number.MAX_SAFE_INTEGER ? ` to ${most}` : ''}`,
  )

function checkAmount(argument: string, value: bigint): bigint {
  if (typeof value === 'bigint' && value > 0n) return value
  throw invalidArgument(argument, `"${argument}" must be an amount above zero, in sompi, as a bigint`)
}

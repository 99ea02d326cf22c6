import type { ChainNetwork } from '../../model/network.js'
import type { AddressSource } from '../addresses.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { DEFAULT_GAP_LIMIT, INDEX_END } from './address-chain.js'

/** An address of an account with its place on the chain: m/44'/111111'/account'/change/index. */
export interface AccountAddress {
  readonly address: string
  readonly index: number
}

/** Which chain of an account. */
export interface AddressChainOptions {
  /** The change chain instead of the receive chain. @default false */
  readonly change?: boolean | undefined
}

export interface NextAddressOptions extends AddressChainOptions {
  /**
   * Rejects with `limit-exceeded` where the address would be at least the gap limit beyond the last used one, so that
   * another wallet would not find a payment to it. @default false
   */
  readonly withinGap?: boolean | undefined
}

export interface AccountOptions {
  /**
   * The first index that `next` returns, on both chains, in place of a scan: the one after the highest that is stored.
   * Only addresses from here on are followed. @default none: call `scan` first
   */
  readonly startIndex?: number | undefined
}

export interface ScanOptions {
  /** The scan of a chain ends after this many unused addresses in a row. @default 20 */
  readonly gapLimit?: number | undefined
  /** The most addresses of a chain that are looked up; beyond it the scan rejects (`limit-exceeded`). @default 10000 */
  readonly maxAddresses?: number | undefined
  /** Query the indexer (REST) too, which sends it the addresses. @default true */
  readonly history?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

/** The used addresses of an account, in the order of their indexes. */
export interface AccountScan {
  readonly receive: readonly AccountAddress[]
  readonly change: readonly AccountAddress[]
  /**
   * `history`: every address that ever had a transaction, by the indexer. `utxos`: the indexer was not queried or did
   * not respond, so that only addresses with a balance count; one that was emptied, and all behind a gap of such, are
   * missing.
   */
  readonly basis: 'history' | 'utxos'
}

/**
 * An account of an extended public key: addresses without a private key, on the network that the engine had when the
 * account was created. Accepted wherever addresses are; it then follows the addresses that were found by `scan` or
 * returned by `next`, and the next `gapLimit` unused ones of each chain, and grows by one gap more when one of these
 * has UTXOs. Further, and with `next`, it moves on when a chain block that is ten deep shows the payment.
 */
export interface Account extends AddressSource {
  readonly network: ChainNetwork
  /** The address at an index. Pure. Throws `ChainError` (`invalid-argument`) for an index outside 0 to 2^31 − 1. */
  address(index: number, options?: AddressChainOptions): string
  /**
   * The next unused address of a chain, never the same one twice within an engine. Rejects with `ChainError`
   * (`account-not-scanned`) before `scan()` or without `startIndex`, (`limit-exceeded`) with `withinGap`.
   */
  next(options?: NextAddressOptions): Promise<AccountAddress>
  /**
   * Finds the used addresses: those with a balance at the node, and those with transactions by the indexer. Rejects
   * with `ChainRpcError` where the node cannot be read, `ChainError` `limit-exceeded` and `invalid-argument`. An
   * unavailable indexer is no failure (`basis`).
   */
  scan(options?: ScanOptions): Promise<AccountScan>
  readonly isChange: (address: string) => boolean
}

/** Accounts without a private key. */
export interface Accounts {
  /**
   * The account of an extended public key, spelled as `kpub`, `ktub` or `xpub`, at depth 3: m/44'/111111'/account'.
   * Loads its code by itself, without WASM. Rejects with `ChainCryptoError` (`invalid-key`), which never quotes the
   * text.
   */
  fromExtendedPublicKey(text: string, options?: AccountOptions): Promise<Account>
}

const MAX_GAP_LIMIT = 1_000
const MAX_ADDRESSES = 10_000

/** An index below the hardened ones. Throws `ChainError` (`invalid-argument`). */
export function checkIndex(argument: string, index: unknown): number {
  return checkWhole(argument, index, 0, INDEX_END - 1)
}

/** The chain that the options name. Throws `ChainError` (`invalid-argument`). */
export function checkChain(options: AddressChainOptions): boolean {
  checkNames(options, ['change'])
  return checkBoolean('change', options.change ?? false)
}

/** Options with their defaults. Throws `ChainError` (`invalid-argument`). */
export function checkNext(options: NextAddressOptions) {
  checkNames(options, ['change', 'withinGap'])
  const { change = false, withinGap = false } = options
  return { change: checkBoolean('change', change), withinGap: checkBoolean('withinGap', withinGap) }
}

/** The index at which an account starts; undefined for none. Throws `ChainError` (`invalid-argument`). */
export function checkStart(options: AccountOptions): number | undefined {
  checkNames(options, ['startIndex'])
  return options.startIndex === undefined ? undefined : checkIndex('startIndex', options.startIndex)
}

/** Options with their defaults. Throws `ChainError` (`invalid-argument`). */
export function checkScan(options: ScanOptions) {
  checkNames(options, ['gapLimit', 'maxAddresses', 'history', 'signal'])
  const { gapLimit = DEFAULT_GAP_LIMIT, maxAddresses = MAX_ADDRESSES, history = true, signal } = options
  return {
    gapLimit: checkWhole('gapLimit', gapLimit, 1, MAX_GAP_LIMIT),
    maxAddresses: checkWhole('maxAddresses', maxAddresses, gapLimit, INDEX_END),
    history: checkBoolean('history', history),
    signal,
  }
}

function checkNames(options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw invalidArgument(name, `"${name}" is unknown`, `One of ${names.join(', ')}.`)
  }
}

function checkWhole(argument: string, value: unknown, from: number, to: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return value
  throw invalidArgument(argument, `"${argument}" is ${String(value)}`, `A whole number from ${from} to ${to}.`)
}

function checkBoolean(argument: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw invalidArgument(argument, `"${argument}" is ${String(value)}`, 'true or false.')
}

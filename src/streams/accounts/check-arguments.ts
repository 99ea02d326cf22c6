import { invalidArgument } from '../../errors/chain-error.js'
import type { AccountOptions, AddressChainOptions, NextAddressOptions, ScanOptions } from './records.js'
import { DEFAULT_GAP_LIMIT, INDEX_END } from './address-chain.js'

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

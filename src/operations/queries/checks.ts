import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { decodeAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { isIp } from '../../model/ip.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toTransaction, type TransactionLike } from '../../model/serialized-transaction.js'
import type { Transaction } from '../../model/transaction.js'

/** Each passes an argument on, or throws `ChainError` (`invalid-argument`) that names it. */

/** Hex of either case as lower case; of `length` bytes where that is given. */
export function hexArgument(argument: string, value: unknown, length?: number): string {
  const lower = typeof value === 'string' ? value.toLowerCase() : value
  if (isHex(lower, length)) return lower
  throw refused(argument, length === undefined ? 'hex' : `${2 * length} hex digits`)
}

export const hashArgument = (argument: string, value: unknown): string => hexArgument(argument, value, 32)

/** An address of `network`: a node takes those of others without a word. */
export function addressArgument(argument: string, value: unknown, network: ChainNetwork): string {
  const address = String(value)
  const { prefix } = decodeAddress(address, argument)
  if (prefix !== NETWORKS[network].addressPrefix) throw refused(argument, `an address of ${network}`)
  return address
}

export function addressesArgument(argument: string, values: unknown, network: ChainNetwork): string[] {
  if (!Array.isArray(values)) throw refused(argument, 'a list of addresses')
  return values.map((value, at) => addressArgument(`${argument}[${at}]`, value, network))
}

/** A whole number of 32 bits. */
export function countArgument(argument: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value
  throw refused(argument, 'a whole number')
}

/** A list of scores. */
export function scoresArgument(argument: string, values: unknown): bigint[] {
  if (!Array.isArray(values)) throw refused(argument, 'a list of scores')
  return values.map((value, at) => scoreArgument(`${argument}[${at}]`, value))
}

/** A score: a bigint of 64 bits. */
export function scoreArgument(argument: string, value: unknown): bigint {
  if (typeof value === 'bigint' && BigInt.asUintN(64, value) === value) return value
  throw refused(argument, 'a bigint of 64 bits')
}

export function ipArgument(argument: string, value: unknown): string {
  if (isIp(value)) return value
  throw refused(argument, 'an IP address')
}

const WITH_PORT = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/

/** `10.0.0.1`, `10.0.0.1:16111`, `::1` or `[::1]:16111`. */
export function peerArgument(
  argument: string,
  value: unknown,
): { readonly ip: string; readonly port: number | undefined } {
  const [, bracketed, plain, port] = WITH_PORT.exec(String(value)) ?? []
  if (Number(port ?? 0) >= 2 ** 16) throw refused(argument, 'an address with a port below 65536')
  return { ip: ipArgument(argument, bracketed ?? plain ?? value), port: port === undefined ? undefined : Number(port) }
}

/** A transaction with its amounts as bigint, or as the decimal text that `serialize()` gives. */
export function transactionArgument(argument: string, value: TransactionLike): Transaction {
  try {
    return toTransaction(value)
  } catch (cause) {
    throw new ChainError(`"${argument}" is not a transaction`, { code: 'invalid-argument', argument, cause })
  }
}

/** The error of an argument that is not what it must be. */
export const refused = (argument: string, words: string): ChainError<'invalid-argument'> =>
  invalidArgument(argument, `"${argument}" is not ${words}`)

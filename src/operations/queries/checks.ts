import { ChainError, invalidArgument, type ChainErrorOptions } from '../../errors/chain-error.js'
import { decodeAddress } from '../../model/address.js'
import { isHex } from '../../model/hex.js'
import { isIp } from '../../model/ip.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toTransaction, type TransactionLike } from '../../model/serialized-transaction.js'
import { requireFields } from '../../model/transaction-rules/fields.js'
import type { Transaction } from '../../model/transaction.js'
import { ChainRpcError } from '../../errors/rpc-error.js'

/** Each returns the argument, or throws `ChainError` (`invalid-argument`) with its name. */

/** Hex in lower case, of `length` bytes where given. */
export function hexArgument(argument: string, value: unknown, length?: number): string {
  const lower = typeof value === 'string' ? value.toLowerCase() : value
  if (isHex(lower, length)) return lower
  throw invalidValue(argument, length === undefined ? 'hex' : `${2 * length} hex digits`)
}

export const hashArgument = (argument: string, value: unknown): string => hexArgument(argument, value, 32)

/** An address of `network`. Nodes do not reject those of other networks. */
export function addressArgument(argument: string, value: unknown, network: ChainNetwork): string {
  const address = String(value)
  const { prefix } = decodeAddress(address, argument)
  if (prefix !== NETWORKS[network].addressPrefix) throw invalidValue(argument, `an address of ${network}`)
  return address
}

export function addressesArgument(argument: string, values: unknown, network: ChainNetwork): string[] {
  if (!Array.isArray(values)) throw invalidValue(argument, 'a list of addresses')
  return values.map((value, at) => addressArgument(`${argument}[${at}]`, value, network))
}

export function countArgument(argument: string, value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) return value
  throw invalidValue(argument, 'a whole number')
}

export function scoresArgument(argument: string, values: unknown): bigint[] {
  if (!Array.isArray(values)) throw invalidValue(argument, 'a list of scores')
  return values.map((value, at) => scoreArgument(`${argument}[${at}]`, value))
}

export function scoreArgument(argument: string, value: unknown): bigint {
  if (typeof value === 'bigint' && BigInt.asUintN(64, value) === value) return value
  throw invalidValue(argument, 'a bigint of 64 bits')
}

export function ipArgument(argument: string, value: unknown): string {
  if (isIp(value)) return value
  throw invalidValue(argument, 'an IP address')
}

const WITH_PORT = /^(?:\[(.+)\]|([^:]+)):(\d{1,5})$/

/** `10.0.0.1`, `10.0.0.1:16111`, `::1` or `[::1]:16111`. */
export function peerArgument(
  argument: string,
  value: unknown,
): { readonly ip: string; readonly port: number | undefined } {
  const [, bracketed, plain, port] = WITH_PORT.exec(String(value)) ?? []
  if (Number(port ?? 0) >= 2 ** 16) throw invalidValue(argument, 'an address with a port below 65536')
  return { ip: ipArgument(argument, bracketed ?? plain ?? value), port: port === undefined ? undefined : Number(port) }
}

/** A transaction with amounts as bigint, or as the decimal strings of `serialize()`. */
export function transactionArgument(argument: string, value: TransactionLike): Transaction {
  try {
    const transaction = toTransaction(value)
    requireFields(transaction, argument)
    return transaction
  } catch (cause) {
    if (cause instanceof ChainError) throw cause
    throw new ChainError(`"${argument}" is not a transaction`, { code: 'invalid-argument', argument, cause })
  }
}

export const invalidValue = (argument: string, expected: string): ChainError<'invalid-argument'> =>
  invalidArgument(argument, `"${argument}" is not ${expected}`)

/**
 * The result of `check`. An error becomes a `ChainRpcError` of `method`, also a `TypeError` from an argument of the
 * wrong type.
 */
export function validateArguments<T>(method: string, check: () => T): T {
  try {
    return check()
  } catch (cause) {
    const { argument, hint }: ChainErrorOptions = cause instanceof ChainError ? cause : {}
    throw new ChainRpcError(method, cause, { code: 'invalid-argument', argument, hint })
  }
}

import type { Check } from './arguments.js'
import type { CachePolicy } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { Decoded, DecoderName } from '../decoding/decoders.js'
import { Unexpected } from '../decoding/shape.js'
import type { ChainRestTransaction } from '../records/transactions.js'

/** Method, path and arguments of an endpoint. */
export interface Route {
  /** The path; `{name}` stands for the argument of that name. */
  readonly get?: string
  readonly post?: string
  /** The arguments of the body: a record of several, or the single argument itself. */
  readonly body?: readonly string[] | string
  /** Body arguments that may be omitted. */
  readonly optional?: readonly string[]
  /** The checks of the query arguments. */
  readonly query?: Readonly<Record<string, Check>>
  /** Query arguments that must be given. */
  readonly required?: readonly string[]
  /** Values of omitted arguments. */
  readonly defaults?: Arguments
  /** Checks the arguments together. Throws as a check does. */
  readonly rule?: (args: Arguments) => void
}

/** One endpoint of the server, as data. */
export interface Endpoint<Name extends DecoderName = DecoderName> extends Route {
  readonly decoder: Name
  readonly cache: CachePolicy
  /** Whether the response may be cached as long as the server grants. @default it may */
  readonly isSettled?: (value: Decoded[Name]) => boolean
  /** Compares a response with the arguments. Throws `Unexpected` for one about another address or id. */
  readonly verify?: (value: Decoded[Name], args: Arguments) => void
  /** Cache key in place of method, path and body. */
  readonly key?: string | undefined
  /** The server may need a minute. */
  readonly slow?: true
  /** Has side effects: never retried, and not queued behind reads. */
  readonly once?: true
  /** Called when the request is handed to the network. */
  readonly onSend?: () => void
}

/** Arguments by name; undefined ones are not sent. */
export type Arguments = Readonly<Record<string, unknown>>

/** Calls an endpoint with `args` and those `options` that are arguments of the endpoint, after checking them. */
export type CallEndpoint = <Name extends DecoderName>(
  endpoint: Endpoint<Name>,
  args?: Arguments,
  options?: ChainRestRequestOptions,
) => Promise<Decoded[Name]>

interface OperationParts {
  /** Further positional arguments after those of path and body. */
  readonly extraArguments?: readonly string[]
  /** The decoder of the text response, which the server sends if `stringOnly` is true. */
  readonly alsoText?: 'decimalText' | 'plainText'
}

/**
 * The endpoints of a family of operations, by name. Operations take arguments of path and body in order; options come
 * last.
 */
export type Endpoints<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (...args: never[]) => Promise<infer T>
    ? Endpoint<DecoderOf<T>> & OperationParts
    : never
}

/** The decoder whose result is exactly `T`. */
type DecoderOf<T> = {
  [Name in DecoderName]: [Decoded[Name], T] extends [T, Decoded[Name]] ? Name : never
}[DecoderName]

export function createOperations<Operations>(call: CallEndpoint, endpoints: Endpoints<Operations>): Operations {
  const table = Object.entries<Endpoint & OperationParts>(endpoints)
  return Object.fromEntries(table.map(([name, endpoint]) => [name, toOperation(call, endpoint)])) as Operations
}

function toOperation(call: CallEndpoint, endpoint: Endpoint & OperationParts) {
  const { get = '', post = get, body = [], extraArguments = [], alsoText } = endpoint
  const inPath = Array.from(post.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const names = [...inPath, ...[body].flat(), ...extraArguments]
  return (...values: unknown[]) => {
    const args = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    const options = values[names.length] as (ChainRestRequestOptions & { stringOnly?: unknown }) | undefined
    return alsoText !== undefined && options?.stringOnly === true
      ? call({ get: `${get}?stringOnly=true`, decoder: alsoText, cache: endpoint.cache }, args, options)
      : call(endpoint, args, options)
  }
}

/**
 * Compares responses with what was requested. A response about another address or id comes from a proxy, from a
 * confused cache or from a server that lies. What a response does not contain is not compared.
 */

interface OfAddress {
  readonly address?: string | undefined
}

interface OfTransaction {
  readonly transactionId?: string | undefined
}

/** Throws `Unexpected` if `found` is given and is not `requested`. */
export function verifySame(found: unknown, requested: unknown, what: 'address' | 'block' | 'transaction'): void {
  if (found !== undefined && found !== requested) throw new Unexpected(`the response is about another ${what}`)
}

export const verifyAddress = (found: OfAddress, { address }: Arguments): void =>
  verifySame(found.address, address, 'address')

/** One entry for each requested address, in its order. */
export const verifyAddresses = (found: readonly OfAddress[], { addresses }: Arguments): void =>
  verifyEach(
    found.map(({ address }) => address),
    addresses,
    'address',
  )

/** One entry for each requested id, in its order. */
export const verifyTransactions = (found: readonly OfTransaction[], { transactionIds }: Arguments): void =>
  verifyEach(
    found.map(({ transactionId }) => transactionId),
    transactionIds,
    'transaction',
  )

function verifyEach(found: readonly unknown[], requested: unknown, what: 'address' | 'transaction'): void {
  const list = requested as readonly unknown[] // checked before the request was sent
  if (found.length !== list.length) throw new Unexpected(`the response has ${found.length} entries for ${list.length}`)
  found.forEach((item, index) => verifySame(item, list[index], what))
}

/** Entries of the requested addresses, in any order and number. */
export function verifyAmongAddresses(found: readonly OfAddress[], { address, addresses = [address] }: Arguments): void {
  const requested = new Set(addresses as readonly unknown[])
  const other = found.find((entry) => entry.address !== undefined && !requested.has(entry.address))
  if (other !== undefined) throw new Unexpected('the response is about another address')
}

/** Transactions of the requested ids, in any order; a search by blue scores has none. */
export function verifyAmongTransactions(found: readonly OfTransaction[], { transactionIds }: Arguments): void {
  if (!Array.isArray(transactionIds) || transactionIds.length === 0) return
  const requested = new Set<unknown>(transactionIds)
  const other = found.find(({ transactionId }) => transactionId !== undefined && !requested.has(transactionId))
  if (other !== undefined) throw new Unexpected('the response is about another transaction')
}

/** Transactions that pay to or spend from the requested address. */
export function verifyInvolved(found: readonly ChainRestTransaction[], { address, fields }: Arguments): void {
  if (fields !== undefined) return // what is left out cannot be compared
  if (found.some((transaction) => involvesOthersOnly(transaction, address))) {
    throw new Unexpected('the response is about another address')
  }
}

/** Whether all addresses of the transaction are known and none is `address`. */
function involvesOthersOnly({ inputs = [], outputs }: ChainRestTransaction, address: unknown): boolean {
  if (outputs === undefined) return false
  const involved = [
    ...inputs.map((input) => input.previous_outpoint_address),
    ...outputs.map((output) => output.script_public_key_address),
  ]
  return involved.every((other) => other !== undefined && other !== address)
}

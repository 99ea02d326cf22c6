import type { Check } from './arguments.js'
import type { Keep } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { Made, ReaderName } from '../reading/readers.js'

/** Where an endpoint is, and which arguments it takes. */
export interface Route {
  /** The path; `{name}` stands for the argument of that name. */
  readonly get?: string
  readonly post?: string
  /** The arguments that make the body: a record of several, or the one argument itself. */
  readonly body?: readonly string[] | string
  /** Those of the body that may be left out. */
  readonly optional?: readonly string[]
  /** The arguments that go into the query where they are given, and how each is checked. */
  readonly query?: Readonly<Record<string, Check>>
  /** Those of the query that must be given. */
  readonly needs?: readonly string[]
  /** What is sent where an argument is not given. */
  readonly usual?: Arguments
  /** What the arguments must fulfil together. Throws as a check does. */
  readonly rule?: (args: Arguments) => void
}

/** One endpoint of the server, as data. */
export interface Endpoint<Name extends ReaderName = ReaderName> extends Route {
  /** How its answer is read. */
  readonly reads: Name
  readonly keep: Keep
  /** Whether the answer may stand as long as the server says. @default it may */
  readonly isSettled?: (value: Made[Name]) => boolean
  /** Where the answer lies in the cache, in place of method, path and body. */
  readonly key?: string | undefined
  /** The server may itself need a minute. */
  readonly slow?: true
  /** Has effects: never asked twice, whatever happens. */
  readonly once?: true
}

/** Arguments by name; what is undefined is not sent. */
export type Arguments = Readonly<Record<string, unknown>>

/** Asks an endpoint; `args` and those of `options` that the endpoint names are checked, then sent. */
export type Ask = <Name extends ReaderName>(
  endpoint: Endpoint<Name>,
  args?: Arguments,
  options?: ChainRestRequestOptions,
) => Promise<Made[Name]>

/** What an operation of a table has beyond its endpoint. */
interface OperationParts {
  /** Further arguments by position, behind those of path and body. */
  readonly takes?: readonly string[]
  /** The server also writes the answer as text, where `stringOnly` is true: how that is read. */
  readonly alsoText?: 'decimalText' | 'plainText'
}

/** The endpoints of a family of operations, by name. Operations take arguments of path and body in order; options come last. */
export type Endpoints<Operations> = {
  readonly [Name in keyof Operations]: Operations[Name] extends (...args: never[]) => Promise<infer T>
    ? Endpoint<ReaderOf<T>> & OperationParts
    : never
}

/** The reader that makes exactly `T`. */
type ReaderOf<T> = {
  [Name in ReaderName]: [Made[Name], T] extends [T, Made[Name]] ? Name : never
}[ReaderName]

/** Makes the operations of a family. */
export function createOperations<Operations>(ask: Ask, endpoints: Endpoints<Operations>): Operations {
  const table = Object.entries<Endpoint & OperationParts>(endpoints)
  return Object.fromEntries(table.map(([name, endpoint]) => [name, toOperation(ask, endpoint)])) as Operations
}

function toOperation(ask: Ask, endpoint: Endpoint & OperationParts) {
  const { get = '', post = get, body = [], takes = [], alsoText } = endpoint
  const inPath = Array.from(post.matchAll(/\{(\w+)\}/g), ([, name = '']) => name)
  const names = [...inPath, ...[body].flat(), ...takes]
  return (...values: unknown[]) => {
    const args = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    const options = values[names.length] as (ChainRestRequestOptions & { stringOnly?: unknown }) | undefined
    return alsoText !== undefined && options?.stringOnly === true
      ? ask({ get: `${get}?stringOnly=true`, reads: alsoText, keep: endpoint.keep }, args, options)
      : ask(endpoint, args, options)
  }
}

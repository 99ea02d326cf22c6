import { ChainError } from '../../errors/chain-error.js'
import { ChainRestError } from '../../errors/rest-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { address, addresses, blueScores, dayOrMonth, hash, hashes, time, yesOrNo, type Check } from './arguments.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { Arguments, Route } from './endpoint.js'
import { submittedTransaction } from './submitted-transaction.js'

/** A request ready to be sent. */
export interface Question {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly body?: string | undefined
}

/** How the arguments of paths and bodies are checked. */
const CHECKS: Readonly<Record<string, Check>> = {
  address,
  addresses,
  transactionId: hash,
  transactionIds: hashes,
  acceptingBlueScores: blueScores,
  hash,
  dayOrMonth,
  transaction: submittedTransaction,
  allowOrphan: yesOrNo,
  content: (value) => value,
}

/** What the server names otherwise than the rest of its parameters. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  resolvePreviousOutpoints: 'resolve_previous_outpoints',
  inBillion: 'in_billion',
}

interface Target {
  readonly baseUrl: string
  readonly network?: ChainNetwork | undefined
}

/** Puts a route and its arguments together. Throws `ChainRestError` (`invalid-argument`) that names the culprit. */
export function toQuestion(route: Route, args: Arguments, { baseUrl, network }: Target): Question {
  const { get, post = '', body, optional = [], query = {}, needs = [], usual = {}, rule } = route
  const method = get === undefined ? 'POST' : 'GET'
  const template = get ?? post
  const given = (name: string) => args[name] ?? usual[name]
  const look = (name: string) => (query[name] ?? CHECKS[name])?.(given(name), name, network)
  const encode = (name: string) => encodeURIComponent(String(look(name)))
  try {
    rule?.(args)
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encode(name))
    const named = Object.keys(query).filter((name) => needs.includes(name) || given(name) !== undefined)
    const pairs = named.map((name) => `${WIRE_NAMES[name] ?? name}=${encode(name)}`)
    const isSent = (name: string) => given(name) !== undefined || !optional.includes(name)
    return { method, path: appendQuery(path, pairs), body: toBody(body, isSent, look) }
  } catch (cause) {
    throw isRefusal(cause) ? refusal(cause, method, baseUrl + template) : cause
  }
}

const isRefusal = (cause: unknown): cause is ChainError => cause instanceof ChainError

/** Looks at the options of every call. Throws `ChainRestError` (`invalid-argument`). */
export function checkTimes(options: ChainRestRequestOptions, method: string, url: string): void {
  try {
    for (const name of TIMES) time(options[name], name)
  } catch (cause) {
    throw isRefusal(cause) ? refusal(cause, method, url) : cause
  }
}

const TIMES = ['staleTime', 'staleWhileRevalidate', 'timeout'] as const

/** A path with `name=value` pairs behind it. */
export function appendQuery(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

type ByName = (name: string) => unknown

function toBody(body: Route['body'], isSent: (name: string) => boolean, look: ByName): string | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') return toJson(look(body))
  return toJson(Object.fromEntries(body.filter(isSent).map((name) => [name, look(name)])))
}

/** Integers beyond a double's reach go as decimal text, which the server reads exactly. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))

function refusal(cause: ChainError, method: string, url: string): ChainRestError {
  const { message: reason, argument, hint } = cause
  return new ChainRestError({ code: 'invalid-argument', method, url, argument, hint, cause, reason })
}

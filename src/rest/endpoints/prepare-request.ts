import type { PreparedRequest } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions, RestSettings } from '../options.js'
import { decodeResponse } from '../decoding/decode-response.js'
import type { Decoded, DecoderName } from '../decoding/decoders.js'
import type { Arguments, Endpoint, Route } from './endpoint.js'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRestError } from '../../errors/rest-error.js'
import type { ChainNetwork } from '../../model/network.js'
import {
  address,
  addresses,
  blueScores,
  dayOrMonth,
  hash,
  hashes,
  time,
  bool,
  type Check,
  submittedTransaction,
} from './arguments.js'

/** Builds the request of a call. Throws `ChainRestError` (`invalid-argument`). */
type PrepareRequest = <Name extends DecoderName>(
  endpoint: Endpoint<Name>,
  args: Arguments,
  options: ChainRestRequestOptions | undefined,
) => PreparedRequest<Decoded[Name]>

/** How many requests are memoized per endpoint. */
const MAX_MEMOIZED = 500

/**
 * Memoizes requests, so that a cached response costs no address checksum and no templating. Only calls whose arguments
 * are all strings are memoized.
 */
export function createPrepareRequest(settings: RestSettings): PrepareRequest {
  const memoized = new WeakMap<object, Map<string, unknown>>()

  return <Name extends DecoderName>(
    endpoint: Endpoint<Name>,
    args: Arguments,
    options: ChainRestRequestOptions | undefined,
  ) => {
    const key = options === undefined || endpoint.query === undefined ? toKey(args) : undefined
    if (key === undefined) return prepare(settings, endpoint, { ...options, ...args })
    const ofEndpoint = memoized.get(endpoint) ?? new Map<string, unknown>()
    // only requests of this endpoint are set
    const found = ofEndpoint.get(key) as PreparedRequest<Decoded[Name]> | undefined
    if (found !== undefined) return found
    const request = prepare(settings, endpoint, args)
    if (ofEndpoint.size >= MAX_MEMOIZED) ofEndpoint.clear()
    memoized.set(endpoint, ofEndpoint.set(key, request))
    return request
  }
}

/** The arguments as one string; undefined if one of them is not a string. */
function toKey(args: Arguments): string | undefined {
  let key = ''
  for (const name in args) {
    const value = args[name]
    if (typeof value !== 'string') return undefined
    key += `${value}\n`
  }
  return key
}

function prepare<Name extends DecoderName>(
  settings: RestSettings,
  endpoint: Endpoint<Name>,
  args: Arguments,
): PreparedRequest<Decoded[Name]> {
  const { decoder, cache, slow, once, onSend, verify, isSettled = always } = endpoint
  const { method, path, body } = buildRequest(endpoint, args, settings)
  return {
    method,
    path,
    body,
    cache,
    key: endpoint.key ?? `${method} ${path} ${body ?? ''}`,
    slow,
    once,
    onSend,
    isSettled,
    read: (target, response, maxSize) =>
      decodeResponse(target, response, decoder, { maxSize, verify: verify && ((value) => verify(value, args)) }),
  }
}

const always = (): boolean => true

interface RequestParts {
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
  allowOrphan: bool,
  content: (value) => value,
}

/** Parameters that the server names in snake_case. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  resolvePreviousOutpoints: 'resolve_previous_outpoints',
  inBillion: 'in_billion',
}

interface Target {
  readonly shownUrl: string
  readonly network?: ChainNetwork | undefined
}

/** Builds method, path and body. Throws `ChainRestError` (`invalid-argument`) that names the invalid argument. */
function buildRequest(route: Route, args: Arguments, { shownUrl, network }: Target): RequestParts {
  const { get, post = '', body, optional = [], query = {}, required = [], defaults = {}, rule } = route
  const method = get === undefined ? 'POST' : 'GET'
  const template = get ?? post
  const given = (name: string) => args[name] ?? defaults[name]
  const checked = (name: string) => (query[name] ?? CHECKS[name])?.(given(name), name, network)
  const encode = (name: string) => encodeURIComponent(String(checked(name)))
  try {
    rule?.(args)
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => encode(name))
    const named = Object.keys(query).filter((name) => required.includes(name) || given(name) !== undefined)
    const pairs = named.map((name) => `${WIRE_NAMES[name] ?? name}=${encode(name)}`)
    const isSent = (name: string) => given(name) !== undefined || !optional.includes(name)
    return { method, path: appendQuery(path, pairs), body: toBody(body, isSent, checked) }
  } catch (cause) {
    throw isChainError(cause) ? invalidArgumentError(cause, method, shownUrl + template) : cause
  }
}

const isChainError = (cause: unknown): cause is ChainError => cause instanceof ChainError

/** Checks the options of a call. Throws `ChainRestError` (`invalid-argument`). */
export function checkTimes(options: ChainRestRequestOptions, method: string, url: string): void {
  try {
    for (const name of TIMES) time(options[name], name)
  } catch (cause) {
    throw isChainError(cause) ? invalidArgumentError(cause, method, url) : cause
  }
}

const TIMES = ['staleTime', 'staleWhileRevalidate', 'timeout'] as const

export function appendQuery(path: string, pairs: readonly string[]): string {
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

type ByName = (name: string) => unknown

function toBody(body: Route['body'], isSent: (name: string) => boolean, checked: ByName): string | undefined {
  if (body === undefined) return undefined
  if (typeof body === 'string') return toJson(checked(body))
  return toJson(Object.fromEntries(body.filter(isSent).map((name) => [name, checked(name)])))
}

/** bigint is sent as decimal text, which the server reads exactly. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))

function invalidArgumentError(cause: ChainError, method: string, url: string): ChainRestError {
  const { message: reason, argument, hint } = cause
  return new ChainRestError({ code: 'invalid-argument', method, url, argument, hint, cause, reason })
}

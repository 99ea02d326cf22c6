import type { PreparedRequest } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions, RestSettings } from '../options.js'
import { decodeResponse } from '../decoding/decode-response.js'
import type { Decoded, DecoderName } from '../decoding/decoders.js'
import type { Arguments, Endpoint } from './endpoint.js'
import { buildRequest } from './build-request.js'

/** Builds the request of a call. Throws `ChainRestError` (`invalid-argument`). */
export type PrepareRequest = <Name extends DecoderName>(
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

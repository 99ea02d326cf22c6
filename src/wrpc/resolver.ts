import {
  Observable,
  catchError,
  defer,
  from,
  map,
  mergeMap,
  of,
  reduce,
  takeWhile,
  throwError,
  timeout,
  type SchedulerLike,
} from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { connectError, type ChainRpcError } from '../errors/rpc-error.js'
import { redact } from '../errors/redact.js'
import type { ChainNetwork, RpcEncoding } from '../model/network.js'
import type { Platform } from '../platform/port.js'
import { isLoopbackHost, isPrivateHost } from '../model/ip.js'

/** The public node resolvers: mainnet and testnets only, no simnet or devnet. */
const RESOLVER_HOSTS: readonly string[] = [
  'https://eric.kaspa.stream',
  'https://maxim.kaspa.stream',
  'https://sean.kaspa.stream',
  'https://troy.kaspa.stream',
  'https://john.kaspa.red',
  'https://mike.kaspa.red',
  'https://paul.kaspa.red',
  'https://alex.kaspa.red',
  'https://jake.kaspa.green',
  'https://mark.kaspa.green',
  'https://adam.kaspa.green',
  'https://liam.kaspa.green',
  'https://noah.kaspa.blue',
  'https://ryan.kaspa.blue',
  'https://jack.kaspa.blue',
  'https://luke.kaspa.blue',
]

/** Parallel requests, and the timeout of each in ms. */
const CONCURRENCY = 3
const HOST_TIMEOUT = 3_000

/** The longest response by default, bytes. A node's URL takes about 100. */
const MAX_RESPONSE = 64 * 2 ** 10

export interface ResolverOptions {
  /** Base URLs. @default RESOLVER_HOSTS */
  readonly hosts?: readonly string[] | undefined
  /** Whether the page is an https page, which may open secure sockets only. @default false */
  readonly secure?: boolean | undefined
  /** The longest response, bytes. @default 65536 */
  readonly maxResponseSize?: number | undefined
}

interface ResolverRequest {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  /** Nodes that failed recently; any other node is preferred. */
  readonly avoid?: ReadonlySet<string> | undefined
}

type HostResult = { readonly url: string } | { readonly failures: readonly unknown[] }

/**
 * Resolves a node. Cold: each subscription queries the hosts in random order, emits the first node outside `avoid`
 * (else the last one found), completes and aborts the pending requests. Errors with `ChainRpcError('connect', cause)`,
 * code `connect-failed`, if no host returns a node.
 */
export function createResolver(
  platform: Pick<Platform, 'fetch' | 'random' | 'scheduler'>,
  { hosts = RESOLVER_HOSTS, secure = false, maxResponseSize = MAX_RESPONSE }: ResolverOptions = {},
): (request: ResolverRequest) => Observable<string> {
  return ({ network, encoding, avoid = new Set() }) => {
    const wire = encoding === 'Borsh' ? 'borsh' : 'json'
    const path = `v2/kaspa/${network}/${secure ? 'tls' : 'any'}/wrpc/${wire}`
    const isAcceptable = (result: HostResult): boolean => 'url' in result && !avoid.has(result.url)
    return defer(() => from(shuffled(hosts, () => platform.random()))).pipe(
      mergeMap((host) => {
        const address = `${host.endsWith('/') ? host : `${host}/`}${path}`
        return queryHost({ resolver: address, network, encoding: wire, secure }, platform, maxResponseSize)
      }, CONCURRENCY),
      takeWhile((result) => !isAcceptable(result), true),
      reduce(better, { failures: [] }),
      map((result) => {
        if ('url' in result) return result.url
        throw noNodeFound(network, result.failures)
      }),
    )
  }
}

/** Prefers a node to a failure, and a later node to an earlier one, which is in `avoid`. */
function better(best: HostResult, result: HostResult): HostResult {
  if ('url' in result) return result
  return 'url' in best ? best : { failures: [...best.failures, ...result.failures] }
}

/** Queries one host. Never errors. */
function queryHost(
  query: ResolverQuery,
  { fetch, scheduler }: { readonly fetch: typeof globalThis.fetch; readonly scheduler: SchedulerLike },
  maxResponseSize: number,
): Observable<HostResult> {
  const address = query.resolver
  return fetchJson(address, fetch, maxResponseSize).pipe(
    timeout({ first: HOST_TIMEOUT, scheduler, with: () => throwError(() => failure(address, 'timed out')) }),
    map((body) => ({ url: checkNodeUrl(body, query) })),
    catchError((error: unknown) => of({ failures: [error] })),
  )
}

/** The body of a successful response. Unsubscribing aborts the request. */
function fetchJson(address: string, fetch: typeof globalThis.fetch, maxResponseSize: number): Observable<unknown> {
  return new Observable((subscriber) => {
    const abort = new AbortController()
    subscriber.add(() => abort.abort())
    fetch(address, { signal: abort.signal })
      .then((response) => {
        if (!response.ok) throw failure(address, `responded with status ${response.status}`)
        return readLimited(response, maxResponseSize)
      })
      .then((text): unknown => JSON.parse(text))
      .then(
        (body: unknown) => {
          subscriber.next(body)
          subscriber.complete()
        },
        (cause: unknown) => subscriber.error(cause),
      )
  })
}

/** The address is configured but for its last words, which are no keys. */
const failure = (address: string, outcome: string): ChainError =>
  new ChainError(`${redact(address, address)} ${outcome}`)

/** The items in random order. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

const noNodeFound = (network: ChainNetwork, failures: readonly unknown[]): ChainRpcError =>
  connectError(new ChainError(`No public resolver has a node of ${network}`, { cause: failures }), {
    code: 'connect-failed',
    why: `no public resolver has a node of ${network}`,
    hint: 'Set url to a node, or try again later.',
  })

/** The request to a resolver. */
interface ResolverQuery {
  /** The resolver's own URL. */
  readonly resolver: string
  readonly network: ChainNetwork
  readonly encoding: 'borsh' | 'json'
  readonly secure: boolean
}

/**
 * The node URL of a resolver's response. Throws `ChainError` unless it is `wss` (on simnet and devnet also `ws` to
 * loopback), to a public host where the resolver is public, without credentials and query, and with no path but the one
 * that public nodes serve: `/kaspa/NETWORK/wrpc/ENCODING`.
 */
function checkNodeUrl(body: unknown, { resolver, network, encoding, secure }: ResolverQuery): string {
  const text = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined
  if (typeof text !== 'string' || !URL.canParse(text)) throw new ChainError('The resolver returned no node URL')
  const url = new URL(text)
  const isLocal = network === 'simnet' || network === 'devnet'
  const isPlain = url.protocol === 'ws:' && !secure && isLocal && isLoopbackHost(url.hostname)
  if (url.protocol !== 'wss:' && !isPlain) throw rejected('it is not a wss URL')
  if (isPrivateHost(url.hostname) && !isPlain && !isPrivateHost(new URL(resolver).hostname)) {
    throw rejected('its address is private')
  }
  if (url.username !== '' || url.password !== '') throw rejected('it has credentials')
  if (url.search !== '' || url.hash !== '') throw rejected('it has a query')
  if (url.pathname !== '/' && url.pathname !== `/kaspa/${network}/wrpc/${encoding}`) throw rejected('it has a path')
  return text
}

const rejected = (reason: string): ChainError => new ChainError(`The node URL of the resolver was rejected: ${reason}`)

/**
 * The body of a response as text, read in chunks: at most `limit` bytes, after decompression. Rejects with `ChainError`
 * above the limit; the caller then aborts the request.
 */
async function readLimited({ body }: Response, limit: number): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let received = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    received += value.length
    if (received > limit) {
      await reader.cancel()
      throw new ChainError(`The response has more than ${limit} bytes`)
    }
    text += decoder.decode(value, { stream: true })
  }
}

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
import { ChainRpcError } from '../errors/rpc-error.js'
import type { ChainNetwork, RpcEncoding } from '../model/network.js'
import type { Platform } from '../platform/port.js'

/** The public services that name a node: mainnet and testnets only, none serves simnet or devnet. */
export const RESOLVER_HOSTS: readonly string[] = [
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

/** How many are asked at a time, and how long, in ms, each may take. */
const AT_A_TIME = 3
const PATIENCE = 3_000

export interface ResolverOptions {
  /** Base URLs. @default RESOLVER_HOSTS */
  readonly hosts?: readonly string[] | undefined
  /** Whether the page is an https page, which may open secure sockets only. @default false */
  readonly secure?: boolean | undefined
}

export interface ResolveQuestion {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  /** Nodes that failed lately: any other is better. */
  readonly avoid?: ReadonlySet<string> | undefined
}

type Answer = { readonly url: string } | { readonly failures: readonly unknown[] }

/**
 * A way to be named a node. Cold: each subscription asks the hosts in an order of its own, emits the first node that is not
 * to be avoided (or, where there is none, the last of the others), and completes; hosts still being asked are let go.
 * Errors with `ChainRpcError('connect', cause)`, code `connect-failed`, where no host named a node.
 */
export function createResolver(
  platform: Pick<Platform, 'fetch' | 'random' | 'scheduler'>,
  { hosts = RESOLVER_HOSTS, secure = false }: ResolverOptions = {},
): (question: ResolveQuestion) => Observable<string> {
  return ({ network, encoding, avoid = new Set() }) => {
    const path = `v2/kaspa/${network}/${secure ? 'tls' : 'any'}/wrpc/${encoding === 'Borsh' ? 'borsh' : 'json'}`
    const isWelcome = (answer: Answer): boolean => 'url' in answer && !avoid.has(answer.url)
    return defer(() => from(shuffled(hosts, () => platform.random()))).pipe(
      mergeMap((host) => askHost(`${host.replace(/\/+$/, '')}/${path}`, secure, platform), AT_A_TIME),
      takeWhile((answer) => !isWelcome(answer), true),
      reduce(better, { failures: [] }),
      map((answer) => {
        if ('url' in answer) return answer.url
        throw nobodyKnows(network, answer.failures)
      }),
    )
  }
}

/** A node is better than none, and one that was named later better than one that is to be avoided. */
function better(best: Answer, answer: Answer): Answer {
  if ('url' in answer) return answer
  return 'url' in best ? best : { failures: [...best.failures, ...answer.failures] }
}

/** Asks one host. Never errors. */
function askHost(
  address: string,
  secure: boolean,
  { fetch, scheduler }: { readonly fetch: typeof globalThis.fetch; readonly scheduler: SchedulerLike },
): Observable<Answer> {
  return fetchJson(address, fetch).pipe(
    timeout({ first: PATIENCE, scheduler, with: () => throwError(() => new ChainError(`${address} is silent`)) }),
    map((body) => ({ url: toNodeUrl(body, secure) })),
    catchError((error: unknown) => of({ failures: [error] })),
  )
}

/** The body of an answer of success. Unsubscribing ends the request. */
function fetchJson(address: string, fetch: typeof globalThis.fetch): Observable<unknown> {
  return new Observable((subscriber) => {
    const abort = new AbortController()
    subscriber.add(() => abort.abort())
    fetch(address, { signal: abort.signal })
      .then((response) => {
        if (!response.ok) throw new ChainError(`${address} answered with status ${response.status}`)
        return response.json()
      })
      .then(
        (body: unknown) => {
          subscriber.next(body)
          subscriber.complete()
        },
        (cause: unknown) => subscriber.error(cause),
      )
  })
}

function toNodeUrl(body: unknown, secure: boolean): string {
  const url = typeof body === 'object' && body !== null && 'url' in body ? body.url : undefined
  if (typeof url === 'string' && (secure ? /^wss:\/\// : /^wss?:\/\//).test(url)) return url
  throw new ChainError('The resolver named no node')
}

/** The items in random order. */
function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)
}

const nobodyKnows = (network: ChainNetwork, failures: readonly unknown[]): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`No public resolver named a node of ${network}`, { cause: failures }), {
    code: 'connect-failed',
    hint: 'Give the url of a node, or try again later.',
  })

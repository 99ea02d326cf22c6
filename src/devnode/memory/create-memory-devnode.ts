import { createPlatform } from '../../platform/detect.js'
import type { Platform } from '../../platform/port.js'
import { createNode, openNode, type NodeParts } from '../create-node.js'
import {
  toEngineOptions,
  type DevnodeBase,
  type DevnodeEngineOptions,
  resolveOptions,
  type DevnodeForkOptions,
  type DevnodeOptions,
} from '../devnode.js'
import { UNKNOWN_MACHINE, createTimers } from '../machine.js'
import { createMemoryNetwork, type MemoryNetwork, openMemoryServers } from './memory-servers.js'
import type { HttpHandler, HttpRequest } from '../http.js'

/** Statuses whose responses must not have a body. */
const BODILESS: readonly number[] = [101, 204, 205, 304]

/** Options of `createMemoryDevnode`. */
export interface MemoryDevnodeOptions extends Omit<
  DevnodeOptions,
  'host' | 'origins' | 'borshPort' | 'jsonPort' | 'restPort' | 'controlPort'
> {
  /**
   * The platform of devnode and engines: clock, timers, storage. With `createTestPlatform` of `vue-chain/testing`
   * everything runs in virtual time. Sockets and `fetch` are those of the devnode. @default that of the page, worker or
   * process
   */
  readonly platform?: Platform | undefined
}

/** A devnode without sockets, in this page, worker or process. */
export interface MemoryDevnode extends DevnodeBase {
  /**
   * The options of an engine on this devnode. Its `ports.platform` connects to this devnode and its forks, and to
   * nothing else.
   */
  readonly engineOptions: MemoryEngineOptions
  /** A second node with the same history, as `Devnode.fork` starts it. */
  fork(
    options?: Omit<DevnodeForkOptions, 'host' | 'origins' | 'borshPort' | 'jsonPort' | 'restPort' | 'controlPort'>,
  ): Promise<MemoryDevnode>
}

export interface MemoryEngineOptions extends DevnodeEngineOptions {
  readonly ports: { readonly platform: Platform }
}

/**
 * A simulated network of one node without sockets: for tests, and for pages that have no server. Messages pass the real
 * codecs. Throws `ChainError` (`invalid-option`) for an invalid option.
 */
export function createMemoryDevnode({ platform, ...options }: MemoryDevnodeOptions = {}): MemoryDevnode {
  const own = platform ?? createPlatform()
  const post = platform === undefined ? queueMicrotask : (work: () => void) => void own.scheduler.schedule(work)
  const network = createMemoryNetwork(post)
  const settings = resolveOptions({ now: () => own.now(), ...options })
  return startNode(openNode(settings), network, connectedTo(network, own))
}

/** A platform whose sockets and requests go to a network in memory, also from an https page. */
const connectedTo = (network: MemoryNetwork, platform: Platform): Platform => ({
  ...platform,
  secure: false,
  fetch: createMemoryFetch((url) => network.handlerOf(url)),
  openSocket: (url) => network.openSocket(url),
})

function startNode(parts: NodeParts, network: MemoryNetwork, platform: Platform): MemoryDevnode {
  const { served, start } = createNode(parts, { timers: createTimers(platform.scheduler), machine: UNKNOWN_MACHINE })
  return start(openMemoryServers(network, served), (node, forkOf) => ({
    ...node,
    engineOptions: {
      ...toEngineOptions(node),
      rest: { baseUrl: node.urls.rest, fetcher: platform.fetch },
      ports: { platform },
    },
    fork: (options) => new Promise((resolve) => resolve(startNode(forkOf(options), network, platform))),
  }))
}

/** A `fetch` whose responses come from handlers instead of a network. Rejects with `TypeError` where a URL has none. */
function createMemoryFetch(handlerOf: (url: URL) => HttpHandler | undefined): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const handler = handlerOf(new URL(request.url))
    if (handler === undefined) throw new TypeError(`No devnode in memory serves ${request.url}`)
    const { status, headers, body } = await handler(await toHttpRequest(request))
    request.signal.throwIfAborted()
    return new Response(BODILESS.includes(status) ? null : (body ?? null), { status, headers: { ...headers } })
  }
}

/** `Request` does not set the headers that a browser adds while it sends. */
async function toHttpRequest(request: Request): Promise<HttpRequest> {
  const { pathname, searchParams, host } = new URL(request.url)
  const body = await request.text()
  const length = body === '' ? {} : { 'content-length': `${new TextEncoder().encode(body).length}` }
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: { host, ...length, ...Object.fromEntries(request.headers) },
    body,
  }
}

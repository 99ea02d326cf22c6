import { BehaviorSubject, Subscription } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { ChainNotReadyError } from '../errors/not-ready-error.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { ChainNetwork } from '../model/network.js'
import type { KeyOperations } from '../operations/keys/keys.js'
import { createPlatform } from '../platform/detect.js'
import { createNodeLink, type NodeLink } from '../streams/session/node-link.js'
import { createWasm, type Wasm } from '../streams/wasm.js'
import {
  createConnectionControl,
  dialForFirstListener,
  switchNetwork,
  type ConnectionControl,
} from './connection-control.js'
import { establishOnceLoaded, openNode, openResolver, openSdk, type MakeKeys } from './open-ports.js'
import type { ChainEngineOptions } from './options.js'
import { resolveOptions, toTarget, type ResolvedOptions } from './resolve-options.js'

/**
 * What everybody needs of an engine: the node, whichever it is just now, and the WASM module. Every further capability is
 * a `feature` of it.
 */
export interface ChainCore extends Omit<NodeLink, 'keeper' | 'dispose'> {
  /** The options with their defaults, as they are just now: `switchNetwork` changes network and endpoints. */
  readonly options: ResolvedOptions
  readonly connection: ConnectionControl
  readonly wasm: Wasm
  /** Operations on keys, by the SDK of now. Throws `ChainNotReadyError`, which names `operation`, until WASM is ready. */
  readonly makeKeys: (operation: string) => KeyOperations
  /**
   * Makes another network the engine's own; ledgers and cursors start anew. Connects to it where a connection was wanted,
   * and then resolves and rejects as `connect` does. Endpoints that the options gave for the old network are left behind.
   */
  switchNetwork(network: ChainNetwork, options?: { readonly url?: string | undefined }): Promise<void>
  /** What has been made of this core, by its maker. */
  readonly features: Map<unknown, unknown>
  /** Ends with the engine, and takes with it whatever features have added. */
  readonly lifetime: Subscription
  /**
   * Closes the socket, stops every timer, completes every stream. Safe to call twice. What cannot be ended keeps nothing
   * else from its end: then it rejects with `ChainError`, whose cause tells of each failure.
   */
  dispose(): Promise<void>
}

/** Makes a core. Does no work: listening, connecting and loading do. Throws `ChainError` (`invalid-option`). */
export function createCore(options: ChainEngineOptions = {}): ChainCore {
  const options$ = new BehaviorSubject(resolveOptions(options))
  let makeKeys: MakeKeys | undefined
  const wasm = createWasm(openSdk(options, (loaded) => (makeKeys = loaded)))
  const { keeper, dispose, ...node } = createLink(options$, wasm)
  const lifetime = new Subscription()
  const ending = new Subscription() // ends one after the other, also where one of them throws
  for (const end of [lifetime, dispose, () => wasm.dispose()]) ending.add(end)
  return {
    ...node,
    get options() {
      return options$.value
    },
    connection: createConnectionControl(keeper, options$),
    wasm,
    makeKeys: (operation) => {
      const sdk = wasm.sdk(operation) // throws until it is ready, and with it what makes keys of it
      if (makeKeys === undefined) throw new ChainNotReadyError(operation)
      return makeKeys(() => sdk)
    },
    switchNetwork: (network, { url } = {}) => switchNetwork(keeper, options$, network, url),
    features: new Map(),
    lifetime,
    dispose: () =>
      new Promise((resolve, reject) => {
        try {
          ending.unsubscribe()
          resolve()
        } catch (cause) {
          reject(new ChainError('A part of the engine did not end', { cause }))
        }
      }),
  }
}

function createLink(options$: BehaviorSubject<ResolvedOptions>, wasm: Wasm): NodeLink {
  const options = options$.value
  const platform = options.ports?.platform ?? createPlatform()
  const wasmStatus$ = new BehaviorSubject('idle')
  wasm.status$.subscribe(({ status }) => wasmStatus$.next(status))
  const link: NodeLink = createNodeLink({
    platform,
    node: openNode(options, platform),
    resolve: openResolver(options, platform),
    establish: establishOnceLoaded,
    target: toTarget(options),
    policy: options.retries,
    heartbeat: options.beat,
    connectTimeout: options.connectTimeout,
    requestTimeout: options.requestTimeout,
    toNotConnected: (method) =>
      link.hasMet() || wasmStatus$.value === 'ready' ? notConnected(method) : new ChainNotReadyError(method),
    onWanted: () => dialForFirstListener(link.keeper, options$),
  })
  return link
}

const notConnected = (method: string): ChainRpcError =>
  new ChainRpcError(method, new ChainError('There is no connection to a node'), {
    code: 'not-connected',
    hint: 'Await connect(), or wait for the connection state "connected".',
  })

import { BehaviorSubject, Subscription } from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import { engineDisposed, ChainNotReadyError } from '../errors/not-ready-error.js'
import type { Connection } from '../streams/connection/state.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import { createPlatform } from '../platform/detect.js'
import type { ChainLogger } from '../platform/port.js'
import { createNodeLink, type NodeLink } from '../streams/session/node-link.js'
import type { OnInvalidResponse } from '../streams/session/requested-entries.js'
import { createWasm, type Wasm } from '../streams/wasm.js'
import { attachRecorder } from './attach-recorder.js'
import { PARTS, type ChainCore, type CoreParts } from './core-parts.js'
import { createConnectionControl, connectForFirstSubscriber, switchNetwork } from './connection-control.js'
import { automaticRecorder } from './automatic-recorder/production.js'
import { establishOnceLoaded, openNode, openResolver, openSdk, type MakeKeys } from './open-ports.js'
import type { ChainEngineOptions } from './options.js'
import type { Probe } from './recorder/probe.js'
import { initialSharing, type SharedConnectionState } from './shared-connection/connection-sharing.js'
import { resolveOptions, toTarget, type ResolvedOptions } from './resolve-options.js'

/** Creates a core without connecting or loading anything. Throws `ChainError` (`invalid-option`). */
export const createCore = (options?: ChainEngineOptions): ChainCore => createParts(options)

/** The same, as the library's own modules use it. */
export function createParts(options: ChainEngineOptions = {}): CoreParts {
  const options$ = new BehaviorSubject(resolveOptions(withRecorder(options)))
  const { recorder } = options$.value
  const probe = attachRecorder(recorder, options$.value)
  let makeKeys: MakeKeys | undefined
  const wasm = createWasm(openSdk(options, (loaded) => (makeKeys = loaded)))
  const lifetime = new Subscription()
  const teardown = new Subscription() // runs every teardown, even if one throws
  const sharing$ = new BehaviorSubject(initialSharing(options$.value))
  const { connector, dispose, ...node } = createLink(options$, wasm, teardown, probe, sharing$)
  for (const end of [lifetime, dispose, () => wasm.dispose()]) teardown.add(end)
  const core: CoreParts = {
    ...node,
    get [PARTS]() {
      return core
    },
    get options() {
      return options$.value
    },
    connection: createConnectionControl(connector, options$),
    connectionSharing$: sharing$.asObservable(),
    wasm,
    probe,
    makeKeys: (operation) => {
      const sdk = wasm.sdk(operation) // throws until WASM is ready
      if (makeKeys === undefined) throw new ChainNotReadyError(operation)
      return makeKeys(() => sdk)
    },
    switchNetwork: (network, { url } = {}) => switchNetwork(connector, options$, network, url),
    features: new Map(),
    lifetime,
    dispose: () =>
      new Promise((resolve, reject) => {
        try {
          teardown.unsubscribe()
          resolve()
        } catch (cause) {
          reject(new ChainError('A part of the engine could not be disposed', { cause }))
        }
      }),
  }
  probe?.core(core)
  return core
}

/** In development an engine has a recorder unless its options say otherwise. */
const withRecorder = (options: ChainEngineOptions): ChainEngineOptions =>
  automaticRecorder ? { ...options, recorder: automaticRecorder(options) } : options

function createLink(
  options$: BehaviorSubject<ResolvedOptions>,
  wasm: Wasm,
  teardown: Subscription,
  probe: Probe | undefined,
  sharing$: BehaviorSubject<SharedConnectionState>,
): NodeLink {
  const options = options$.value
  const unobserved = options.ports?.platform ?? createPlatform()
  const platform = probe?.platform(unobserved) ?? unobserved
  const node = openNode(options, platform, {
    state$: sharing$,
    network: () => link.connector.state.target.network,
    lifetime: teardown,
  })
  const resolve = openResolver(options, platform)
  const wasmStatus$ = new BehaviorSubject('idle')
  wasm.status$.subscribe(({ status }) => wasmStatus$.next(status))
  const link: NodeLink = createNodeLink({
    platform,
    node: probe?.node(node) ?? node,
    resolve: probe?.resolver(resolve) ?? resolve,
    establish: establishOnceLoaded,
    target: toTarget(options),
    policy: options.retryPolicy,
    heartbeat: options.heartbeatPolicy,
    connectTimeout: options.connectTimeout,
    requestTimeout: options.requestTimeout,
    toNotConnected: (method) => {
      if (teardown.closed) return new ChainRpcError(method, engineDisposed(), { code: 'disposed' })
      const { state } = link.connector
      const wasRequested = link.hasConnected() || state.status === 'error' || wasmStatus$.value === 'ready'
      return wasRequested ? notConnected(method, state) : new ChainNotReadyError(method, 'connection')
    },
    onAcquire: () => connectForFirstSubscriber(link.connector, options$),
    onInvalidEntries: (invalid) => warnOfEntries(options.logger, invalid),
  })
  return link
}

function warnOfEntries(logger: ChainLogger, invalid: Parameters<OnInvalidResponse>[0]): void {
  const fields = { count: invalid.length, entries: invalid.slice(0, MAX_LOGGED) }
  logger.warn('The node reported UTXO entries that were not requested; they are left out', fields)
}

/** Entries of a response that are logged. */
const MAX_LOGGED = 10

/** The reason of the last failed attempt, which names the endpoint, is its cause. */
const notConnected = (method: string, state: Connection<unknown>): ChainRpcError => {
  const failure = 'error' in state ? state.error : null
  return new ChainRpcError(
    method,
    new ChainError('There is no connection to a node', failure === null ? {} : { cause: failure }),
    {
      code: 'not-connected',
      hint: 'Await connect(), or wait for the connection state "connected".',
    },
  )
}

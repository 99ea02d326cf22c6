import { loadCode } from '../loading/load-code.js'
import {
  catchError,
  combineLatest,
  map,
  of,
  switchMap,
  tap,
  using,
  type Observable,
  type ObservableInput,
  type Unsubscribable,
} from 'rxjs'
import { ChainError } from '../errors/chain-error.js'
import type { Endpoint, NodeConnection, NodePort } from '../node/port.js'
import type { createKeys } from '../operations/keys/keys.js'
import type { Platform, PlatformSocket } from '../platform/port.js'
import type { SdkPort, WasmUrl } from '../sdk/port.js'
import type { WasmLocation } from '../sdk/wasm/locate.js'
import type { ResolveRequest } from '../streams/connection/dial.js'
import type { Establish } from '../streams/session/establish.js'
import type { WalletsPort } from '../wallets/port.js'
import { lazyModule } from '../loading/lazy-methods.js'
import type { ChainEngineOptions } from './options.js'
import type { ResolvedOptions } from './resolve-options.js'
import { isReady, type SharingDeps } from './shared-connection/connection-sharing.js'

/**
 * The default ports: wRPC, the public resolvers, the WASM SDK and the page's wallets. Each is loaded at its first use,
 * to keep it out of the initial bundle.
 */

/** Without `sharing`: connections of the tab's own. */
export function openNode(options: ResolvedOptions, platform: Platform, sharing?: SharingDeps): NodePort {
  if (options.ports?.node !== undefined) return options.ports.node
  return sharing !== undefined && isReady(sharing.state$.value)
    ? openShared(options, platform, sharing)
    : openOwn(options, platform)
}

function openOwn({ requestTimeout, ...given }: ResolvedOptions, platform: Platform): NodePort {
  const { maxFrameSize = platform.maxFrameSize } = given
  const openSocket = (url: string): ReturnType<OpenSocket> => platform.openSocket(url, { maxFrameSize })
  let port: NodePort | undefined
  const dialBy = (open: OpenSocket, endpoint: Endpoint): Observable<NodeConnection> =>
    connectionModule.module$.pipe(
      switchMap(({ createNodePort }) => {
        const create = (): NodePort =>
          createNodePort({ scheduler: platform.scheduler, openSocket: open }, { requestTimeout, maxFrameSize })
        return (open === openSocket ? (port ??= create()) : create()).dial(endpoint)
      }),
    )
  return {
    dial: (endpoint) =>
      connectionModule.isLoaded()
        ? dialBy(openSocket, endpoint)
        : using(
            () => openEarly(() => openSocket(endpoint.url)),
            (early) => dialBy((early as EarlySocket).openSocket, endpoint),
          ),
  }
}

type OpenSocket = Platform['openSocket']

/**
 * Connections over the shared worker, whose code is loaded with that of a connection of the tab's own. Where it cannot
 * be loaded, as after a deployment, the tab goes on alone, and loads it again with the next connection.
 */
function openShared(options: ResolvedOptions, platform: Platform, sharing: SharingDeps): NodePort {
  const own = openOwn(options, platform)
  let port: NodePort | undefined
  return {
    dial: (endpoint) =>
      combineLatest([connectionModule.module$, sharedModule.module$.pipe(catchError(() => of(null)))]).pipe(
        switchMap(([{ createNodeConnection }, shared]) => {
          port ??= shared?.openSharedPort({ options, platform, sharing, own, createNodeConnection })
          if (port === undefined) sharing.state$.next({ connection: 'own', fault: 'blocked' })
          return (port ?? own).dial(endpoint)
        }),
      ),
  }
}

const sharedModule = /*#__PURE__*/ lazyModule(() => import('./shared-connection/open-shared-port.js'))

/** Needed until the first value: one module, so that bundlers make one chunk of it. */
export const connectionModule = /*#__PURE__*/ lazyModule(() => import('./node-connection.js'))

/** Handshake, health and heartbeat: needed once there is a socket. */
export const establishOnceLoaded: Establish = (connection, target, deps) =>
  connectionModule.module$.pipe(switchMap(({ establish$ }) => establish$(connection, target, deps)))

export function openResolver(
  { resolvers, maxResolverResponseSize }: ChainEngineOptions,
  platform: Platform,
): (request: ResolveRequest) => Observable<string> {
  const settings = { hosts: resolvers, secure: platform.secure, maxResponseSize: maxResolverResponseSize }
  return (request) =>
    connectionModule.module$.pipe(switchMap(({ createResolver }) => createResolver(platform, settings)(request)))
}

/** Replaced by `false` in the bundles of apps that use `light` only. */
declare const __VUE_CHAIN_WASM__: boolean | undefined

export type MakeKeys = typeof createKeys

/**
 * Loads the SDK with its WASM file, and the key operations, which depend on it. `onLoaded` is called before the
 * observable emits.
 */
export const openSdk =
  ({ ports, sdk, panicHook, wasmUrl }: ChainEngineOptions, onLoaded: (makeKeys: MakeKeys) => void) =>
  (): ObservableInput<SdkPort> => {
    const port$ = ports?.sdk === undefined ? loadPort({ sdk, panicHook, wasmUrl }) : of(ports.sdk)
    return combineLatest([port$, loadCode(() => import('../operations/keys/keys.js'))]).pipe(
      tap(([, { createKeys }]) => onLoaded(createKeys)),
      map(([port]) => port),
    )
  }

/** `light`, or the WASM SDK, whose code `__VUE_CHAIN_WASM__: false` excludes from a bundle. */
async function loadPort({ sdk, panicHook, wasmUrl }: ChainEngineOptions): Promise<SdkPort> {
  if (typeof sdk === 'object') return sdk.loadPort()
  if (typeof __VUE_CHAIN_WASM__ === 'undefined' || __VUE_CHAIN_WASM__) {
    const { loadSdk, ownSdk } = await loadCode(() => import('../sdk/wasm/load.js'))
    return loadSdk(sdk ?? ownSdk(wasmUrl), panicHook)
  }
  throw new ChainError('This build excludes the WASM SDK by `__VUE_CHAIN_WASM__: false`', {
    code: 'sdk-unsupported',
    argument: 'sdk',
    hint: 'Pass the option `sdk: light` of vue-chain/light.',
  })
}

/** Where the WASM file of the bundled SDK lies. */
export async function wasmLocation(wasmUrl: WasmUrl | undefined): Promise<WasmLocation> {
  if (typeof __VUE_CHAIN_WASM__ === 'undefined' || __VUE_CHAIN_WASM__) {
    return (await loadCode(() => import('../sdk/wasm/locate.js'))).locateWasm(wasmUrl)
  }
  return { kind: 'given' }
}

export const openWallets = async ({ ports }: ChainEngineOptions, platform: Platform): Promise<WalletsPort> =>
  ports?.wallets ?? (await loadCode(() => import('../wallets/page-wallets.js'))).createPageWallets(platform)

/** A socket that opens while the code that uses it is loading, which saves the round trips of its handshake. */
interface EarlySocket extends Unsubscribable {
  /**
   * Hands the socket over, and repeats a failure that it had before there were handlers. Rejects where none could be
   * opened.
   */
  readonly openSocket: () => Promise<PlatformSocket>
  /** Closes the socket, unless it was handed over. */
  unsubscribe(): void
}

/** Opens a socket at once. */
export function openEarly(open: () => PlatformSocket | Promise<PlatformSocket>): EarlySocket {
  let isHandedOver = false
  const held: (() => void)[] = []
  const opening = (async () => {
    const socket = await open()
    socket.onerror = (event) => held.push(() => socket.onerror?.(event))
    socket.onclose = (event) => held.push(() => socket.onclose?.(event))
    return socket
  })()
  const orNone = opening.catch(() => undefined) // `openSocket` rejects with the reason
  return {
    openSocket: () => {
      isHandedOver = true
      // the caller has set its handlers by then
      void orNone.then(() => setTimeout(() => held.forEach((repeat) => repeat())))
      return opening
    },
    unsubscribe: () => {
      if (!isHandedOver) void orNone.then((socket) => socket?.close())
    },
  }
}

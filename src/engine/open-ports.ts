import { catchError, defer, forkJoin, map, of, switchMap, tap, throwError } from 'rxjs'
import type { Observable, ObservableInput } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { NodePort } from '../node/port.js'
import type { createKeys } from '../operations/keys/keys.js'
import type { Platform } from '../platform/port.js'
import type { SdkPort } from '../sdk/port.js'
import type { ResolveRequest } from '../streams/connection/dial.js'
import type { Establish } from '../streams/session/establish.js'
import type { WalletsPort } from '../wallets/port.js'
import { onceLoaded } from '../loading/once-loaded.js'
import type { ChainEngineOptions } from './options.js'
import type { ResolvedOptions } from './resolve-options.js'

/**
 * What stands at the ports unless others were given: the node's own protocol, the public resolvers, the WASM SDK, the page's wallets. Each is
 * fetched when it is first asked for, so that an app's first bytes hold none of them.
 */

export function openNode({ ports, requestTimeout }: ResolvedOptions, platform: Platform): NodePort {
  if (ports?.node !== undefined) return ports.node
  const load = onceLoaded(async () => {
    // what the socket is for comes along, so that it need not be fetched when the socket stands
    const [{ createNodePort }] = await Promise.all([import('../wrpc/client.js'), loadSession()])
    return createNodePort(platform, { requestTimeout })
  })
  return {
    dial: (endpoint) =>
      defer(load).pipe(
        catchError(notFetched),
        switchMap((port) => port.dial(endpoint)),
      ),
  }
}

const loadSession = () => import('../streams/session/establish.js')

/** Handshake, health and heartbeat: needed once there is a socket. */
export const establishOnceLoaded: Establish = (connection, target, deps) =>
  defer(loadSession).pipe(
    catchError(notFetched),
    switchMap(({ establish$ }) => establish$(connection, target, deps)),
  )

export function openResolver(
  { resolvers }: ChainEngineOptions,
  platform: Platform,
): (request: ResolveRequest) => Observable<string> {
  const settings = { hosts: resolvers, secure: platform.secure }
  const load = onceLoaded(async () => (await import('../wrpc/resolver.js')).createResolver(platform, settings))
  return (request) =>
    defer(load).pipe(
      catchError(notFetched),
      switchMap((resolve) => resolve(request)),
    )
}

/** Makes operations on keys of the SDK. */
export type MakeKeys = typeof createKeys

/**
 * Loads the SDK, its glue and its WASM file, when it is first asked for; and with it what it is asked of keys, which
 * nobody can ask before: `told` hears of that first.
 */
export const openSdk =
  ({ ports, sdk, panicHook }: ChainEngineOptions, told: (makeKeys: MakeKeys) => void) =>
  (): ObservableInput<SdkPort> => {
    const port$ =
      ports?.sdk === undefined
        ? import('../sdk/wasm/load.js').then(({ loadSdk }) => loadSdk(sdk, panicHook))
        : of(ports.sdk)
    return forkJoin([port$, import('../operations/keys/keys.js')]).pipe(
      tap(([, { createKeys }]) => told(createKeys)),
      map(([port]) => port),
    )
  }

/** The wallets of the page, where there is one. */
export const openWallets = async ({ ports }: ChainEngineOptions, platform: Platform): Promise<WalletsPort> =>
  ports?.wallets ?? (await import('../wallets/page-wallets.js')).createPageWallets(platform)

/** A part of this library that the page could not fetch: an attempt that failed, like any other. */
const notFetched = (cause: unknown): Observable<never> =>
  throwError(() => new ChainRpcError('connect', cause, { code: 'connect-failed' }))

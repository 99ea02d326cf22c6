import { of, type Observable, type ObservableInput } from 'rxjs'
import type { NodePort } from '../node/port.js'
import type { Platform } from '../platform/port.js'
import type { SdkPort } from '../sdk/port.js'
import type { ResolveRequest } from '../streams/connection/dial.js'
import { createNodePort } from '../wrpc/client.js'
import { createResolver } from '../wrpc/resolver.js'
import type { ChainEngineOptions } from './options.js'
import type { ResolvedOptions } from './resolve-options.js'

/** What stands at the ports unless others were given: the node's own protocol, the public resolvers, the WASM SDK. */

export const openNode = ({ ports, requestTimeout }: ResolvedOptions, platform: Platform): NodePort =>
  ports?.node ?? createNodePort(platform, { requestTimeout })

export const openResolver = (
  { resolvers }: ChainEngineOptions,
  platform: Platform,
): ((request: ResolveRequest) => Observable<string>) =>
  createResolver(platform, { hosts: resolvers, secure: platform.secure })

/** Loads the SDK, its glue and its WASM file, when it is first asked for. */
export const openSdk =
  ({ ports, sdk, panicHook }: ChainEngineOptions) =>
  (): ObservableInput<SdkPort> =>
    ports?.sdk === undefined
      ? import('../sdk/wasm/load.js').then(({ loadSdk }) => loadSdk(sdk, panicHook))
      : of(ports.sdk)

import { asapScheduler } from 'rxjs'
import type { App } from 'vue'
import { invalidArgument } from '../../../errors/chain-error.js'
import { createRecorder } from '../../../engine/recorder/create-recorder.js'
import type { NodePort } from '../../../node/port.js'
import { createPlatform } from '../../../platform/detect.js'
import type { Platform } from '../../../platform/port.js'
import { light } from '../../../sdk/light/light.js'
import type { VueChainOptions } from '../plugin/options.js'

/** A devnode of `vue-chain/devnode` or `vue-chain/devnode/memory`. */
export interface DevnodeTarget {
  readonly engineOptions: VueChainOptions
}

/** A node, or a devnode, and what the component needs. */
export interface MountSettings {
  /** A node of `createScriptedNode()`, on simnet. */
  readonly node?: NodePort | undefined
  /** A simulated network. */
  readonly devnode?: DevnodeTarget | undefined
  readonly props?: Readonly<Record<string, unknown>> | undefined
  /**
   * Options of the plugin, which override those of the test. @default no `autoConnect`, no storage, `light` for keys
   */
  readonly options?: VueChainOptions | undefined
  /** Called before the app is mounted: router, stores, `provide`. */
  readonly prepare?: ((app: App) => void) | undefined
}

/** Requests in flight that the engine does not count. */
export interface Fetches {
  readonly count: (fetcher: typeof fetch) => typeof fetch
  readonly pending: () => number
}

export function createFetches(): Fetches {
  let pending = 0
  return {
    pending: () => pending,
    count:
      (fetcher) =>
      async (...request) => {
        pending++
        try {
          return await buffered(await fetcher(...request))
        } finally {
          pending--
        }
      },
  }
}

/** The response once its body is received, which takes tasks of its own. */
async function buffered(response: Response): Promise<Response> {
  const { status, statusText, headers } = response
  const body = await response.arrayBuffer()
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers })
}

/**
 * The plugin's options for a test: the network of the devnode or the scripted node, keys without WASM, nothing stored,
 * and updates without waiting for frames. Throws `ChainError` (`invalid-argument`) without a node and with two.
 */
export function toTestOptions(settings: MountSettings, fetches: Fetches): VueChainOptions {
  const { options = {} } = settings
  const target = targetOf(settings)
  const given = options.ports?.platform ?? target.ports?.platform ?? closedPlatform(settings)
  const platform: Platform = { ...given, frames: asapScheduler, fetch: fetches.count(given.fetch) }
  const rest = { ...target.rest, ...options.rest }
  return {
    sdk: light,
    devtools: false,
    autoConnect: false, // by `ready()`, so that the first render does not depend on what other tests have loaded
    ...target,
    ...options,
    recorder: typeof options.recorder === 'object' ? options.recorder : createRecorder(), // counts the calls in flight
    rest: rest.fetcher === undefined ? rest : { ...rest, fetcher: fetches.count(rest.fetcher) },
    ports: { ...target.ports, ...options.ports, platform },
  }
}

function targetOf({ node, devnode }: MountSettings): VueChainOptions {
  if ((node === undefined) === (devnode === undefined))
    throw invalidArgument(
      'node',
      'mountWithChain() needs a node or a devnode',
      'Pass `node` of createScriptedNode(), or `devnode`.',
    )
  if (devnode !== undefined) return devnode.engineOptions
  return { network: 'simnet', url: 'ws://scripted', resolver: false, ports: { node } }
}

/** The platform of the runtime without storage, which tests would share; without network where the node is scripted. */
function closedPlatform({ devnode }: MountSettings): Platform {
  const platform: Platform = { ...createPlatform(), storage: null }
  return devnode === undefined ? { ...platform, fetch: () => Promise.reject(new TypeError(NO_NETWORK)) } : platform
}

const NO_NETWORK = 'There is no network beside a scripted node: pass `options: { rest: { fetcher } }`'

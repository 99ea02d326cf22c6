import { filter, firstValueFrom, asapScheduler } from 'rxjs'
import { createApp, h, nextTick, type App, type Component } from 'vue'
import type { ChainEngine } from '../../../engine/engine.js'
import { ChainError, invalidArgument } from '../../../errors/chain-error.js'
import { nextTask } from '../../../loading/steps.js'
import { useChainEngine } from '../composables/useChainEngine.js'
import { VueChain } from '../plugin/plugin.js'
import { ready } from '../../../testing/platform.js'
import { createRecorder } from '../../../engine/recorder/create-recorder.js'
import type { NodePort } from '../../../node/port.js'
import { createPlatform } from '../../../platform/detect.js'
import type { Platform } from '../../../platform/port.js'
import { light } from '../../../sdk/light/light.js'
import type { VueChainOptions } from '../plugin/options.js'

/** A component in an app of its own, with the plugin. */
export interface MountedChain {
  readonly app: App
  /** The container of the component, in the document's body. */
  readonly element: HTMLElement
  /** The app's engine, to act beside the component. */
  readonly engine: ChainEngine
  /**
   * Connects, and resolves once the app is connected and idle. Needs no timer, so that it works under fake timers.
   * Rejects with the failure of the first attempt to connect, and as `whenIdle` does.
   */
  readonly ready: () => Promise<void>
  /**
   * Resolves once all requests to node and indexer have their responses, and the component shows them. Rejects with an
   * error of the app since the last call.
   */
  readonly whenIdle: () => Promise<void>
  /** Unmounts the app, which disposes of the engine, and removes the container. */
  readonly unmount: () => void
}

/** Tasks in a row without a request in flight: a response may cause the next request. */
const IDLE_TASKS = 10

/**
 * Mounts a component in an app with the plugin. Needs a document (a browser, happy-dom or jsdom). Throws what the
 * component's setup or first render throws, and `ChainError` (`invalid-argument`) without `node` and `devnode`.
 * @example
 * const chain = mountWithChain(Balance, { node: createScriptedNode(), props: { address } })
 * await chain.ready()
 * expect(chain.element.textContent).toBe('5 KAS')
 */
export function mountWithChain(component: Component, settings: MountSettings): MountedChain {
  const fetches = createFetches()
  const errors: unknown[] = []
  const app = createApp({ render: () => h(component, { ...settings.props }) })
  app.config.errorHandler = (error) => void errors.push(error)
  app.use(VueChain, toTestOptions(settings, fetches))
  settings.prepare?.(app)
  const engine = app.runWithContext(useChainEngine)
  const element = document.body.appendChild(document.createElement('div'))
  const unmount = (): void => {
    app.unmount()
    element.remove()
  }
  const throwFirst = (): void => {
    const [error] = errors.splice(0)
    if (error !== undefined) throw toError(error)
  }
  const isBusy = (): boolean => engine.metrics().pendingCalls + fetches.pending() > 0
  const whenIdle = async (): Promise<void> => {
    await loadParts()
    for (let idle = 0; idle < IDLE_TASKS; idle = isBusy() ? 0 : idle + 1) await nextTask()
    await nextTick()
    throwFirst()
  }
  const ready = async (): Promise<void> => {
    await loadParts()
    await connected(engine)
    await whenIdle()
  }
  app.mount(element)
  try {
    throwFirst()
  } catch (error) {
    unmount()
    throw error
  }
  return { app, element, engine, ready, whenIdle, unmount }
}

const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new ChainError('The app has thrown what is no error', { cause: thrown })

/** Connects; rejects with the failure of the first attempt. */
async function connected({ connection }: ChainEngine): Promise<void> {
  const outcome$ = connection.state$.pipe(filter(({ status, error }) => status === 'connected' || error !== null))
  const first = firstValueFrom(outcome$)
  connection.connect().catch(() => undefined) // the failure is part of the state
  const { error } = await first
  if (error !== null) throw error
}

/**
 * Loads what apps load on demand, so that later loads take no more than a task. Rejects where a part cannot be loaded.
 */
async function loadParts(): Promise<void> {
  await Promise.all([
    ready(),
    import('../../../query/client.js'),
    import('../../../rest/operations.js'),
    import('../../../engine/open-rpc.js'),
    import('../../../engine/open-transactions.js'),
    import('../../../sdk/light/adapter.js'),
    import('../../../sdk/wasm/load.js'),
    import('../../../streams/wallet/create-session.js'),
    import('../../../wallets/page-wallets.js'),
  ])
}

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
interface Fetches {
  readonly count: (fetcher: typeof fetch) => typeof fetch
  readonly pending: () => number
}

function createFetches(): Fetches {
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
function toTestOptions(settings: MountSettings, fetches: Fetches): VueChainOptions {
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

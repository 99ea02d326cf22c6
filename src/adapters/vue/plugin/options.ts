import type { ChainEngineOptions } from '../../../engine/options.js'
import type { ConnectWalletTexts } from '../components/connect-wallet/texts.js'
import type { HydrationStore } from './hydration.js'
import { throwError } from 'rxjs'
import { ChainError } from '../../../errors/chain-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { InjectionKey } from 'vue'

/** Options of the plugin: the engine's options and those of a Vue app. Times in ms. */
export interface VueChainOptions extends ChainEngineOptions {
  /** Loads the WASM module and connects when the plugin is installed. @default true */
  readonly autoConnect?: boolean | undefined
  /**
   * Shows the engine in Vue DevTools. Only in bundles built with the condition `development`, as those of development
   * servers; no others contain the code. @default true
   */
  readonly devtools?: boolean | undefined
  /** Replacements for the English texts of all components. @default English */
  readonly texts?: Partial<ConnectWalletTexts> | undefined
  /** Set by frameworks that render on a server. @default REST results travel by `dehydrateRest` and `hydrateRest` */
  readonly hydration?: HydrationStore | undefined
}

/**
 * Options for a server: connecting and loading reject at once, without retries, and a page does not wait for a slow
 * indexer as long as a browser does.
 */
export const forServer = (options: VueChainOptions): VueChainOptions => ({
  ...options,
  autoConnect: false,
  reconnect: false,
  rest: { timeout: REST_TIMEOUT, ...options.rest },
  sdk: () => Promise.reject(serverError('The WASM module is not loaded')),
  ports: { ...options.ports, sdk: undefined, node: { dial: () => throwError(toConnectError) } },
})

/** The default of `rest.timeout`, ms. */
const REST_TIMEOUT = 5_000

const toConnectError = (): ChainRpcError =>
  new ChainRpcError('connect', serverError('No connection is made'), { code: 'connect-failed', hint: HINT })

const serverError = (what: string): ChainError => new ChainError(`${what} during server-side rendering`, { hint: HINT })

const HINT = 'Call it in onMounted(), or guard it with a check for the browser.'

/** Injection key of the app's texts. `Symbol.for` makes it equal across two copies of this module. */
export const TEXTS: InjectionKey<Partial<ConnectWalletTexts>> = Symbol.for('vue-chain texts')

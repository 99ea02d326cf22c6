import { throwError } from 'rxjs'
import { ChainError } from '../../../errors/chain-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { VueChainOptions } from './options.js'

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

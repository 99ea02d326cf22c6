import { throwError } from 'rxjs'
import { ChainError } from '../../../errors/chain-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { VueChainOptions } from './options.js'

/** Options for a server: connecting and loading reject at once, without retries. */
export const forServer = (options: VueChainOptions): VueChainOptions => ({
  ...options,
  autoConnect: false,
  reconnect: false,
  sdk: () => Promise.reject(serverError('The WASM module is not loaded')),
  ports: { ...options.ports, sdk: undefined, node: { dial: () => throwError(toConnectError) } },
})

const toConnectError = (): ChainRpcError =>
  new ChainRpcError('connect', serverError('No connection is made'), { code: 'connect-failed', hint: HINT })

const serverError = (what: string): ChainError => new ChainError(`${what} during server-side rendering`, { hint: HINT })

const HINT = 'Call it in onMounted(), or guard it with a check for the browser.'

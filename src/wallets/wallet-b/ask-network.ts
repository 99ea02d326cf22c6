import { hasMethods, invoke, type Provider } from '../provider.js'

/**
 * Asks Kastle which network it is on, which it tells anyone, without a window. Before 2.47.0 it had to be asked by the
 * general name. Undefined of one that knows neither.
 */
export function askNetwork(provider: Provider): Promise<unknown> {
  if (hasMethods(provider, 'getNetwork')) return invoke(provider, 'connect', 'getNetwork')
  if (hasMethods(provider, 'request')) return invoke(provider, 'connect', 'request', 'kas:get_network')
  return Promise.resolve(undefined)
}

import { hasMethods, invoke, type Provider } from '../provider.js'

/**
 * Kastle's network, without permission or a window. Before 2.47.0 only `request` provides it. Undefined if both methods
 * are missing.
 */
export function fetchNetwork(provider: Provider): Promise<unknown> {
  if (hasMethods(provider, 'getNetwork')) return invoke(provider, 'connect', 'getNetwork')
  if (hasMethods(provider, 'request')) return invoke(provider, 'connect', 'request', 'kas:get_network')
  return Promise.resolve(undefined)
}

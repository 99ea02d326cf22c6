import { hasMethods, invoke, type Provider } from '../provider.js'

/** The result of a method; undefined if a compatible wallet lacks it. */
export const callIfPresent = (provider: Provider, operation: string, method: string): Promise<unknown> =>
  hasMethods(provider, method) ? invoke(provider, operation, method) : Promise.resolve(undefined)

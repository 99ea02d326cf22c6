import { hasMethods, invoke, type Provider } from '../provider.js'

/** What a method of KasWare answers; undefined where it is one of its likes, which may have fewer. */
export const read = (provider: Provider, operation: string, method: string): Promise<unknown> =>
  hasMethods(provider, method) ? invoke(provider, operation, method) : Promise.resolve(undefined)

import { invoke, type Provider } from '../provider.js'

/** Calls a method of an announced wallet. A single record is sent as the only list item. */
export const request = (
  provider: Provider,
  operation: string,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> => invoke(provider, operation, 'request', { method, params })

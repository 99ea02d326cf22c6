import { invoke, type Provider } from '../provider.js'

/** Asks an announced wallet. Records go alone into the list of parameters. */
export const request = (
  provider: Provider,
  operation: string,
  method: string,
  ...params: readonly unknown[]
): Promise<unknown> => invoke(provider, operation, 'request', { method, params })

import { refuseArgument } from '../errors/wallet-refusal.js'
import { invoke, type Provider } from './provider.js'

/** Members of an event emitter, as KasWare's provider is one. */
const EMITTER =
  /^(on|once|off|emit|request|eventNames|(add|remove|prepend|prependOnce|removeAll|set|getMax|raw)?[lL]istener(s|Count)?|setMaxListeners|getMaxListeners|_.*)$/

/** Calls a method of the provider's object; a list of `params` is its arguments, anything else its only one. */
export async function callOwnMethod(provider: Provider, method: string, params: unknown): Promise<unknown> {
  if (EMITTER.test(method) || method in Object.prototype) {
    const cause = new TypeError(`${method} is not an operation of the wallet`)
    throw refuseArgument('request', 'method', cause, "Name a method from the wallet's own documentation.")
  }
  const list: readonly unknown[] = Array.isArray(params) ? params : params === undefined ? [] : [params]
  return invoke(provider, 'request', method, ...list)
}

import { ChainWalletError, refuseArgument } from '../errors/wallet-error.js'
import { toWalletError } from './to-wallet-error.js'
import { memberOf } from './foreign-object.js'

/** An object that a wallet injected into the page, of unknown shape. */
export type Provider = Readonly<Record<string, unknown>>

export const isProvider = (value: unknown): value is Provider =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Whether a provider has all these methods: older versions have fewer, and other wallets use the same property. */
export const hasMethods = (provider: Provider, ...methods: readonly string[]): boolean =>
  methods.every((method) => typeof memberOf(provider, method) === 'function')

/**
 * Calls a method with its provider as receiver, which some wallets need. Rejects with `ChainWalletError`, the wallet's
 * own rejection as its cause; `unsupported` if the method does not exist.
 */
export async function invoke(
  provider: Provider,
  operation: string,
  method: string,
  ...args: readonly unknown[]
): Promise<unknown> {
  const target = memberOf(provider, method)
  if (typeof target !== 'function') throw unsupportedMethod(operation, method)
  try {
    const result: unknown = await Reflect.apply(target, provider, args)
    return result
  } catch (cause) {
    throw toWalletError(operation, cause)
  }
}

export const unsupportedMethod = (operation: string, method: string): ChainWalletError =>
  new ChainWalletError(operation, new TypeError(`This wallet has no method ${method}`), {
    code: 'unsupported',
    hint: 'This version of the wallet does not offer it. Use another wallet for it.',
  })

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

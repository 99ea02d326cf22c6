import { ChainWalletError } from '../errors/wallet-error.js'
import { toWalletError } from './to-wallet-error.js'
import { memberOf } from './member-of.js'

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

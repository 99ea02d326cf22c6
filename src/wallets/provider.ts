import { ChainWalletError } from '../errors/wallet-error.js'
import { toWalletError } from './failure.js'
import { memberOf } from './member-of.js'

/** An object that a wallet put into the page: nothing in it can be relied on before it has been looked at. */
export type Provider = Readonly<Record<string, unknown>>

export const isProvider = (value: unknown): value is Provider =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

/** Whether a wallet's object has all these methods: other wallets appear under a known name, and old versions have fewer. */
export const hasMethods = (provider: Provider, ...methods: readonly string[]): boolean =>
  methods.every((method) => typeof memberOf(provider, method) === 'function')

/**
 * Calls a method of a wallet's object on that object, since some wallets' methods cannot do without. Rejects with
 * `ChainWalletError`, the wallet's own rejection as its cause; `unsupported` where there is no such method.
 */
export async function invoke(
  provider: Provider,
  operation: string,
  method: string,
  ...args: readonly unknown[]
): Promise<unknown> {
  const run = memberOf(provider, method)
  if (typeof run !== 'function') throw missing(operation, method)
  try {
    const answer: unknown = await Reflect.apply(run, provider, args)
    return answer
  } catch (cause) {
    throw toWalletError(operation, cause)
  }
}

const missing = (operation: string, method: string): ChainWalletError =>
  new ChainWalletError(operation, new TypeError(`This wallet has no method ${method}`), {
    code: 'unsupported',
    hint: 'Update the wallet.',
  })

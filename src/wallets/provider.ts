import { ChainWalletError, refuseArgument } from '../errors/wallet-error.js'
import { toWalletError, memberOf } from './to-wallet-error.js'
import { EMPTY, NEVER, Observable, catchError } from 'rxjs'
import type { WalletPayment } from './port.js'

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

/**
 * An event of a wallet's provider; empty if the provider has no events, as in older versions. Removes the same handler
 * that it added. Never errors: without events the wallet is still refreshed.
 */
export function walletEvent$(provider: Provider, name: string): Observable<unknown> {
  if (!hasMethods(provider, 'on', 'removeListener')) return EMPTY
  const events$ = new Observable((subscriber) => {
    const handler = (payload: unknown): void => subscriber.next(payload)
    call(provider, 'on', name, handler)
    return () => removeHandler(provider, name, handler)
  })
  return events$.pipe(catchError(() => NEVER))
}

type Handler = (payload: unknown) => void

function call(provider: Provider, method: string, name: string, handler: Handler): void {
  const run = memberOf(provider, method)
  if (typeof run === 'function') Reflect.apply(run, provider, [name, handler])
}

function removeHandler(provider: Provider, name: string, handler: Handler): void {
  try {
    call(provider, 'removeListener', name, handler)
  } catch {
    // The provider of an updated or removed extension throws. The subscriber has already unsubscribed.
  }
}

/**
 * `sendKaspa` of both wallets: amounts as numbers; options always with `priorityFee`, since its default is
 * undocumented; a payload only if there is one.
 */
export async function sendByNumber(provider: Provider, payment: WalletPayment): Promise<unknown> {
  const { outputs, payload } = payment
  const [{ address, amount } = NO_OUTPUT] = outputs
  const priorityFee = toSafeNumber('options.priorityFee', payment.priorityFee)
  const options = payload === '' ? { priorityFee } : { priorityFee, payload }
  return invoke(provider, 'sendKaspa', 'sendKaspa', address, toSafeNumber('amount', amount), options)
}

/** Never used: a validated payment has an output. */
const NO_OUTPUT = { address: '', amount: 0n }

/**
 * An amount for a wallet that accepts numbers only. Refuses an amount above `Number.MAX_SAFE_INTEGER` instead of
 * rounding it.
 */
function toSafeNumber(argument: string, sompi: bigint): number {
  if (sompi > BigInt(Number.MAX_SAFE_INTEGER)) {
    const cause = new RangeError(`${sompi} sompi is more than ${Number.MAX_SAFE_INTEGER}, the maximum of this wallet`)
    throw refuseArgument('sendKaspa', argument, cause, 'Split the payment into several parts.')
  }
  return Number(sompi)
}

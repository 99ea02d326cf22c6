import { refuseArgument } from '../../errors/wallet-error.js'
import { isPskb } from '../../model/pskb-text.js'
import type { Wallet } from '../../wallets/port.js'

/**
 * A call of the wallet's own methods: one that no operation covers, with params that are plain JSON. Throws
 * `ChainWalletError` (`invalid-argument`).
 */
export function checkRequest({ covered }: Pick<Wallet, 'covered'>, method: unknown, params: unknown): void {
  if (typeof method !== 'string' || method === '') {
    const hint = "Name a method from the wallet's own documentation."
    throw refuseArgument('request', 'method', new TypeError('Not the name of a method'), hint)
  }
  const own = Object.hasOwn(covered, method) ? covered[method] : undefined
  if (own !== undefined) {
    const cause = new TypeError(`${method} is offered by this library, with its checks`)
    throw refuseArgument('request', 'method', cause, `Use \`${own}\` of the wallet instead.`)
  }
  if (!isJson(params)) {
    const hint = 'Write amounts as the wallet documents them: no wallet accepts a bigint.'
    throw refuseArgument('request', 'params', new TypeError('The params are not JSON'), hint)
  }
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false // a bigint or a circular reference; KasWare rejects it, Kastle never responds
  }
}

/** A non-empty string. Checked here because wallets differ: one rejects the empty message, the other signs it. */
export function checkMessage(message: unknown): string {
  if (typeof message !== 'string' || message === '') {
    const cause = new TypeError('The message is not a string, or empty')
    throw refuseArgument('signMessage', 'message', cause, 'Pass a non-empty string.')
  }
  return message
}

/** A bundle as text. Throws `ChainWalletError` (`invalid-argument`). */
export function checkPskb(text: unknown): string {
  if (isPskb(text)) return text
  const cause = new TypeError('The text is no bundle: "PSKB" and hex, at most 1 MiB')
  throw refuseArgument('signPskb', 'text', cause, 'Pass what toPskb() returns. A transaction as JSON takes signPskt().')
}

/** An optional object argument. Callers without types pass anything. Throws `ChainWalletError`. */
export function checkRecord<T extends object>(operation: string, argument: string, value: T | undefined): Partial<T> {
  if (value === undefined) return {}
  if (typeof value === 'object' && (value as T | null) !== null) return value
  throw refuseArgument(operation, argument, new TypeError('Not an object'), 'Pass an object, or leave it out.')
}

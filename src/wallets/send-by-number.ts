import { refuseArgument } from '../errors/wallet-error.js'
import type { WalletPayment } from './port.js'
import { invoke, type Provider } from './provider.js'

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

import type { WalletPayment } from './port.js'
import { invoke, type Provider } from './provider.js'
import { toSafeNumber } from './safe-number.js'

/**
 * `sendKaspa` as both wallets know it: amounts as numbers, the options always there with the fee in them, since what
 * happens without is nowhere written; a payload only where there is one.
 */
export async function sendByNumber(provider: Provider, payment: WalletPayment): Promise<unknown> {
  const { to, amount, payload } = payment
  const priorityFee = toSafeNumber('options.priorityFee', payment.priorityFee)
  const options = payload === '' ? { priorityFee } : { priorityFee, payload }
  return invoke(provider, 'sendKaspa', 'sendKaspa', to, toSafeNumber('amount', amount), options)
}

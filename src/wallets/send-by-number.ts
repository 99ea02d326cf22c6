import type { WalletPayment } from './port.js'
import { invoke, type Provider } from './provider.js'
import { toSafeNumber } from './safe-number.js'

/**
 * `sendKaspa` of both wallets: amounts as numbers; options always with `priorityFee`, since its default is
 * undocumented; a payload only if there is one.
 */
export async function sendByNumber(provider: Provider, payment: WalletPayment): Promise<unknown> {
  const { to, amount, payload } = payment
  const priorityFee = toSafeNumber('options.priorityFee', payment.priorityFee)
  const options = payload === '' ? { priorityFee } : { priorityFee, payload }
  return invoke(provider, 'sendKaspa', 'sendKaspa', to, toSafeNumber('amount', amount), options)
}

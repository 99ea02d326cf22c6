import type { WalletPayment } from './port.js'
import { invoke, type Provider } from './provider.js'
import { toSafeNumber } from './safe-number.js'

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

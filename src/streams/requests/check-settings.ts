import { invalidArgument } from '../../errors/chain-error.js'
import { refuseUnknown } from '../../errors/unknown-option.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import { toPaymentUri } from '../../model/payment-uri.js'
import type { PaymentRequestSettings } from './requests.js'
import { checkTerms, type RequestTerms } from './terms.js'

const NAMES = [
  'amount',
  'address',
  'account',
  'expiresIn',
  'confirmations',
  'tolerance',
  'label',
  'message',
  'onCreated',
]

/** What settings fix by themselves. */
export type CheckedSettings = Omit<RequestTerms, 'address' | 'index' | 'createdAt'>

/** Throws `ChainError` (`invalid-argument`) for settings that no request can have, before anything is sent. */
export function checkSettings(
  settings: PaymentRequestSettings,
  { network, now }: { readonly network: ChainNetwork; readonly now: number },
): CheckedSettings {
  refuseUnknown(settings, NAMES)
  const {
    amount,
    address,
    account,
    expiresIn = 900_000,
    confirmations = 100,
    tolerance = 0n,
    label,
    message,
  } = settings
  if ((address === undefined) === (account === undefined))
    throw invalidArgument('address', 'A request needs "address" or "account", one of them')
  if (account !== undefined && account.network !== network)
    throw invalidArgument('account', `The account is of ${account.network}, and the engine's network is ${network}`)
  if (address !== undefined && !isValidAddress(address, network))
    throw invalidArgument('address', `"address" is no address of ${network}`)
  if (!(expiresIn > 0 && Number.isFinite(expiresIn)))
    throw invalidArgument('expiresIn', '"expiresIn" is no positive number of milliseconds')
  const terms = { network, amount, tolerance, confirmations, expiresAt: Math.round(now + expiresIn), label, message }
  checkTerms(terms)
  if (address !== undefined) toPaymentUri({ ...terms, address }) // the texts
  return terms
}

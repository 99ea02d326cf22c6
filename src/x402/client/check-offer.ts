import type { PaymentRequirements } from '@x402/core/types'
import { invalidArgument } from '../../errors/chain-error.js'
import { isValidAddress, toScriptPublicKey } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import { ASSET, BINDING, ENCODING, FLOW, PROFILE, SCHEME, serializeScript } from '../binding/requirements.js'
import { toX402Network } from '../networks.js'

/** Throws `ChainError` (`invalid-argument`) for an offer that is not of this binding, before anything is signed. */
export function checkOffer(requirements: PaymentRequirements, network: ChainNetwork): void {
  const { scheme, asset, amount, payTo, maxTimeoutSeconds, extra } = requirements
  const fields = [
    [scheme === SCHEME, 'scheme'],
    [requirements.network === toX402Network(network), 'network'],
    [asset === ASSET, 'asset'],
    [/^[1-9]\d{0,18}$/.test(amount), 'amount'],
    [isValidAddress(payTo, network), 'payTo'],
    [Number.isSafeInteger(maxTimeoutSeconds) && maxTimeoutSeconds >= 5, 'maxTimeoutSeconds'],
    [extra.binding === BINDING, 'extra.binding'],
    [extra.profile === PROFILE, 'extra.profile'],
    [extra.paymentFlow === FLOW, 'extra.paymentFlow'],
    [extra.transactionEncoding === ENCODING, 'extra.transactionEncoding'],
  ] as const
  const wrong = fields.find(([isValid]) => !isValid)?.[1]
  if (wrong !== undefined) throw invalidArgument(wrong, `The offer is not of ${BINDING}: "${wrong}" is not valid`)
  if (extra.payToScriptPublicKey !== serializeScript(toScriptPublicKey(payTo)))
    throw invalidArgument('extra.payToScriptPublicKey', 'The offer names a script that is not that of "payTo"')
}

import type { PaymentRequirements } from '@x402/core/types'
import { toScriptPublicKey } from '../../model/address.js'
import type { ScriptPublicKey } from '../../model/utxo.js'

/** What every offer of the binding says. */
export const BINDING = 'kaspa-exact-v2'
export const PROFILE = 'standard-native'
export const SCHEME = 'exact'
export const ASSET = 'KAS'
export const FLOW = 'upfront'
export const ENCODING = 'kaspa-sdk-safe-json-v2.0.0'

/** The fields that the binding adds to `extra`. Throws `ChainError` (`invalid-argument`) for no address. */
export const exactExtra = (payTo: string, confirmations: number): Readonly<Record<string, unknown>> => ({
  binding: BINDING,
  profile: PROFILE,
  paymentFlow: FLOW,
  finality: confirmations === 0 ? 'accepted' : 'confirmed',
  confirmations,
  transactionEncoding: ENCODING,
  payToScriptPublicKey: serializeScript(toScriptPublicKey(payTo, 'payTo')),
  assetKind: 'native',
  assetDecimals: 8,
})

/** The version, two bytes big-endian, and the script; hex. */
export const serializeScript = ({ version, script }: ScriptPublicKey): string =>
  version.toString(16).padStart(4, '0') + script

/** The confirmations that an offer requires; undefined where it names none. */
export function confirmationsOf({ extra }: PaymentRequirements): number | undefined {
  const { confirmations } = extra
  return typeof confirmations === 'number' && Number.isSafeInteger(confirmations) && confirmations >= 0
    ? confirmations
    : undefined
}

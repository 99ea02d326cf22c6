import type { PaymentRequirements } from '@x402/core/types'
import { toScriptPublicKey, isValidAddress } from '../../model/address.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { SpendControls } from '@x402/core/client'

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

export interface KasSpendControlOptions {
  readonly network: ChainNetwork
  /** Sompi of one payment, at most. */
  readonly maxAmountPerPayment: bigint
}

/**
 * The controls for `x402Client.setSpendControls`: KAS on one network, up to an amount in sompi. KAS is no default
 * asset: the upstream client would take its amount for dollars, one KAS for one dollar.
 */
export function kasSpendControls({ network, maxAmountPerPayment }: KasSpendControlOptions): SpendControls {
  if (typeof maxAmountPerPayment !== 'bigint' || maxAmountPerPayment <= 0n)
    throw invalidArgument('maxAmountPerPayment', '"maxAmountPerPayment" is no bigint above zero', 'It is in sompi.')
  return {
    allowedAssets: [
      { network: toX402Network(network), asset: ASSET, maxAmountPerPayment: String(maxAmountPerPayment) },
    ],
  }
}

/** A network as x402 names it. The namespace `kaspa` is proposed and not registered (ChainAgnostic#193). */
export type X402Network = `kaspa:${ChainNetwork}`

export const toX402Network = (network: ChainNetwork): X402Network => `kaspa:${network}`

/** The network of an engine. Throws `ChainError` (`invalid-argument`) for mainnet without consent. */
export function requireNetwork(network: ChainNetwork, mainnet: boolean | undefined): X402Network {
  if (network !== 'mainnet' || mainnet === true) return toX402Network(network)
  throw invalidArgument(
    'mainnet',
    'x402 on mainnet needs consent',
    'The binding is a draft that may change. Pass mainnet: true to accept that.',
  )
}

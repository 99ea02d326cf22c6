import type { AssetAmount, Price, SchemeNetworkServer, SupportedKind, PaymentRequirements } from '@x402/core/types'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { kaspaToSompi } from '../../model/amount.js'
import { MASS_LIMITS, MINIMUM_FEERATE, storageMassOf, storageOf, addStorage } from '../../model/mass.js'
import { ASSET, FLOW, SCHEME, confirmationsOf, exactExtra } from '../binding/offer.js'

/** Grams of a payment with one input and two outputs, whatever it pays. */
export const PAYMENT_MASS = 2_036n

/**
 * The scheme `exact` of Kaspa for `x402ResourceServer.register('kaspa:*', kaspaExact())`. Prices are KAS: `'0.5 KAS'`,
 * or `{ asset: 'KAS', amount: '50000000' }` in sompi; a price in dollars is refused, because the library knows no rate.
 * A price whose payment no node would take, or whose fee exceeds the facilitator's, is refused when the server starts.
 */
export function kaspaExact(): SchemeNetworkServer {
  return {
    scheme: SCHEME,
    defaultAssetTransferMethod: 'default',
    paymentFlows: { default: { supported: [FLOW], default: FLOW } },
    parsePrice: (price) => new Promise((resolve) => resolve(kaspaPrice(price))),
    getAssetDecimals: (asset) => (asset === ASSET ? 8 : undefined),
    enhancePaymentRequirements: (requirements, kind) => new Promise((resolve) => resolve(enhance(requirements, kind))),
  }
}

/**
 * A price in sompi for the routes of an upstream server, checked at once: `price: kaspaPrice('0.5 KAS')`. Throws
 * `ChainError` (`invalid-argument`) for one that no transaction can pay.
 */
export function kaspaPrice(price: Price): AssetAmount {
  const amount = toSompi(price)
  if (amount <= 0n) throw invalidArgument('price', 'The price is not above zero')
  const mass = leastStorageMass(amount)
  if (mass > MASS_LIMITS.storage)
    throw new ChainError(`A price of ${amount} sompi cannot be paid by one transaction`, {
      code: 'invalid-argument',
      argument: 'price',
      details: `its storage mass is ${mass} grams, and a block has ${MASS_LIMITS.storage}`,
      hint: 'The smallest price beside change is 0.02 KAS. Charge more for several calls at once.',
    })
  return { asset: ASSET, amount: String(amount) }
}

/** Of a payment whose change is large, so that it costs nothing. */
function leastStorageMass(amount: bigint): bigint {
  const output = (value: bigint) => storageOf({ amount: value, scriptPublicKey: KEY_SCRIPT, covenantId: undefined })
  return storageMassOf(addStorage(output(amount), output(LARGE)), output(amount + LARGE))
}

const LARGE = 10n ** 15n
/** As long as the script of every public key. */
const KEY_SCRIPT = { version: 0, script: /*#__PURE__*/ '00'.repeat(34) }

function toSompi(price: Price): bigint {
  if (typeof price === 'object') {
    if (price.asset === ASSET && /^\d{1,19}$/.test(price.amount)) return BigInt(price.amount)
    throw invalidArgument('price', 'The price is not in KAS', "Such as { asset: 'KAS', amount: '50000000' }, in sompi.")
  }
  const [, kas] = /^([\d.]+) KAS$/.exec(String(price)) ?? []
  if (kas !== undefined) return kaspaToSompi(kas)
  throw invalidArgument('price', 'The price has no unit, or is in dollars', "Such as '0.5 KAS'.")
}

function enhance(requirements: PaymentRequirements, { extra = {} }: SupportedKind): PaymentRequirements {
  const { confirmations = 10, maxFee } = extra
  const least = PAYMENT_MASS * MINIMUM_FEERATE
  if (typeof maxFee === 'string' && BigInt(maxFee) < least)
    throw invalidArgument('maxFee', `The least fee of a payment is ${least} sompi, above "maxFee"`)
  const depth = confirmationsOf(requirements) ?? Number(confirmations)
  return { ...requirements, extra: { ...requirements.extra, ...exactExtra(requirements.payTo, depth) } }
}

import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { encodeAddress, isValidAddress } from '../../model/address.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toPaymentUri } from '../../model/payment-uri.js'
import { checkTerms } from '../../streams/requests/terms.js'
import type { PaymentSettings } from './payment.js'

/** The settings with their defaults. */
export interface CheckedSettings {
  readonly id: string
  readonly amount: bigint
  readonly expiresIn: number
  readonly confirmations: number
  readonly tolerance: bigint
  readonly label: string | null
  readonly message: string | null
  readonly address: string | null
  /** JSON; null for none. */
  readonly metadata: string | null
}

const NAMES = [
  'id',
  'amount',
  'expiresIn',
  'confirmations',
  'tolerance',
  'label',
  'message',
  'address',
  'metadata',
] satisfies (keyof PaymentSettings)[]

/** Characters of an id, at most: the id of a refund's payout has it as a part. */
const MAX_ID = 200
/** Bytes of the metadata, at most. */
const MAX_METADATA = 4_096
/** The longest time until a request expires, in ms: ten years. */
const LONGEST = 10 * 365 * 86_400_000

/** Throws `ChainError` (`invalid-argument`) for what no request can be. */
export function checkSettings(settings: PaymentSettings, network: ChainNetwork): CheckedSettings {
  refuseUnknown(settings, NAMES)
  const { amount, tolerance = 0n, confirmations = 100, expiresIn = 900_000 } = settings
  const { label, message, address, metadata } = settings
  checkTerms({ amount, tolerance, confirmations, expiresAt: 0 })
  if (!Number.isSafeInteger(expiresIn) || expiresIn < 1 || expiresIn > LONGEST)
    throw invalidArgument('expiresIn', '"expiresIn" is no number of milliseconds from 1 to ten years')
  if (address !== undefined && !isValidAddress(address, network))
    throw invalidArgument('address', `"address" is no address of ${network}`)
  checkTexts({ label, message }, network)
  return {
    id: checkRequestId(settings.id),
    amount,
    tolerance,
    confirmations,
    expiresIn,
    label: label ?? null,
    message: message ?? null,
    address: address ?? null,
    metadata: toMetadata(metadata),
  }
}

/** Databases store neither NUL nor half of a surrogate pair. */
export function checkRequestId(id: unknown): string {
  const isId = typeof id === 'string' && id.length > 0 && id.length <= MAX_ID && !/[\0\p{Surrogate}]/u.test(id)
  if (isId) return id
  throw invalidArgument('id', `"id" must be a text of 1 to ${MAX_ID} characters`, 'Without NUL and half surrogates.')
}

/** They are parts of the URI, which has a greatest length. */
function checkTexts(texts: Pick<PaymentSettings, 'label' | 'message'>, network: ChainNetwork): void {
  for (const [name, text] of Object.entries(texts))
    if (text?.includes('\0') === true) throw invalidArgument(name, `"${name}" has a NUL character`)
  toPaymentUri({ address: encodeAddress(NETWORKS[network].addressPrefix, 'PubKey', new Uint8Array(32)), ...texts })
}

function toMetadata(metadata: unknown): string | null {
  if (metadata === undefined) return null
  const text = toJson(metadata)
  const isRecord = typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)
  if (isRecord && text !== undefined && new TextEncoder().encode(text).length <= MAX_METADATA) return text
  throw invalidArgument('metadata', `"metadata" must be a record of JSON, at most ${MAX_METADATA} bytes`)
}

/** Undefined for what JSON does not have, and for characters that databases do not store. */
function toJson(value: unknown): string | undefined {
  try {
    const text = JSON.stringify(value)
    return /\\u0000|\\ud[89a-f]/i.test(text) ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined // a bigint, or a ring
    throw error
  }
}

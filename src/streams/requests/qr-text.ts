import { toPaymentUri, type PaymentUriFields } from '../../model/payment-uri.js'

/** Bytes of a QR code of version 10 and level M; larger ones are hard to scan from a screen. */
const CAPACITY = 213

/**
 * The URI of a payment for a QR code: message, then label are cut until it fits. Throws `ChainError`
 * (`invalid-argument`) as `toPaymentUri` does.
 */
export function toQrText({ message = '', label = '', ...fields }: PaymentUriFields): string {
  const texts = { label: Array.from(label), message: Array.from(message) }
  for (;;) {
    const uri = toPaymentUri({ ...fields, label: join(texts.label), message: join(texts.message) })
    if (uri.length <= CAPACITY) return uri
    const longest = texts.message.length > 0 ? texts.message : texts.label
    longest.pop()
  }
}

/** No parameter without a text. */
const join = (characters: readonly string[]): string | undefined =>
  characters.length === 0 ? undefined : characters.join('').trimEnd()

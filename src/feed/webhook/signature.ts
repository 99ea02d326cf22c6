import { invalidArgument } from '../../errors/chain-error.js'
import { fromBase64, toBase64 } from '../../model/base64.js'

/** Bytes of a secret, as Standard Webhooks has them. */
const [SHORTEST, LONGEST] = [24, 64]

/** What is signed: Standard Webhooks 1.0. */
export interface SignedContent {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The key of a secret: `whsec_` and 24 to 64 bytes in base64. Throws `ChainError` (`invalid-argument`), which does not
 * repeat the text.
 */
export function readSecret(secret: unknown, argument = 'secret'): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : ''
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? fromBase64(text) : new Uint8Array()
  if (key.length >= SHORTEST && key.length <= LONGEST) return key
  throw invalidArgument(
    argument,
    `"${argument}" is no secret of webhooks`,
    `Pass whsec_ and ${SHORTEST} to ${LONGEST} random bytes in base64: openssl rand -base64 32.`,
  )
}

/** The signature of a content: `v1,` and the HMAC-SHA-256 in base64. By Web Crypto, which browsers and Workers have. */
export async function sign(content: SignedContent, key: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = globalThis.crypto
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const text = new TextEncoder().encode(`${content.id}.${content.timestamp}.${content.body}`)
  return `v1,${toBase64(new Uint8Array(await subtle.sign('HMAC', imported, text)))}`
}

import { invalidArgument, refuseUnknown } from '../../../errors/chain-error.js'
import { isPrivateHost } from '../../../model/ip.js'
import { readSecret } from '../../webhook/signature.js'

export interface WebhookOptions {
  /** Where changes are posted to: `https:`, at a public address. */
  readonly url: string
  /**
   * `whsec_` and 24 to 64 random bytes in base64. Two while they are replaced: deliveries are signed with both, until
   * every receiver has the new one.
   */
  readonly secret: string | readonly [string, string]
  /**
   * Whether private, loopback and link-local addresses, and `http:`, are allowed: where the receiver is in the same
   * network. @default false
   */
  readonly allowPrivate?: boolean | undefined
}

export interface CheckedWebhook {
  readonly url: URL
  readonly keys: readonly Uint8Array<ArrayBuffer>[]
  readonly allowPrivate: boolean
}

const NAMES = ['url', 'secret', 'allowPrivate'] satisfies (keyof WebhookOptions)[]

/** Throws `ChainError` (`invalid-argument`), which repeats neither the URL nor a secret. */
export function checkWebhook(options: WebhookOptions): CheckedWebhook {
  refuseUnknown(options, NAMES)
  const { url, secret, allowPrivate = false } = options
  const secrets = [secret].flat()
  if (secrets.length === 0 || secrets.length > 2)
    throw invalidArgument('webhook.secret', '"webhook.secret" must be one secret, or two')
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const isAllowed = parsed?.protocol === 'https:' || (allowPrivate && parsed?.protocol === 'http:')
  if (parsed === undefined || !isAllowed) throw invalidArgument('webhook.url', '"webhook.url" is no URL of https')
  if (parsed.username !== '' || parsed.password !== '')
    throw invalidArgument('webhook.url', '"webhook.url" has a user or password', 'The signature says who has sent it.')
  if (!allowPrivate && isPrivateHost(parsed.hostname))
    throw invalidArgument(
      'webhook.url',
      '"webhook.url" is a private address',
      'Pass allowPrivate: true where the receiver is in your network.',
    )
  return { url: parsed, keys: secrets.map((one) => readSecret(one, 'webhook.secret')), allowPrivate }
}

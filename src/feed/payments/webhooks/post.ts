import { invalidArgument, refuseUnknown } from '../../../errors/chain-error.js'
import { isPrivateHost, isIp } from '../../../model/ip.js'
import { readSecret } from '../../webhook/webhook.js'
import type { LookupAddress } from 'node:dns'
import { lookup as resolveName } from 'node:dns/promises'
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { abortable, onAbort } from '../../../loading/abortable.js'

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

/** What is posted where. */
export interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly allowPrivate: boolean
  /** How long it may take, in ms. */
  readonly timeout: number
  readonly signal: AbortSignal
  /** @default that of the system */
  readonly resolve?: ((hostname: string) => Promise<readonly LookupAddress[]>) | undefined
}

/** Bytes of a response that are read; what follows is not received. */
const MAX_RESPONSE = 4_096

/**
 * Posts a body; resolves to the status of the response. The name is resolved once, and every address of it is checked:
 * the connection goes to one that was checked, so that a name cannot become a private address in between. Certificate
 * and `Host` are those of the name. Redirects are not followed. Rejects with an `Error` in words.
 */
export async function post({ resolve = resolveAll, ...options }: Post): Promise<number> {
  const end = new AbortController()
  const release = onAbort(options.signal, (reason) => end.abort(reason))
  const timer = setTimeout(() => end.abort(new Error(`No response within ${options.timeout} ms`)), options.timeout)
  try {
    const addresses = await abortable(end.signal, () => resolve(options.url.hostname.replace(/^\[|\]$/g, '')))
    const refused = options.allowPrivate ? undefined : addresses.find(({ address }) => isPrivateAddress(address))
    if (refused !== undefined) throw new Error(`The address ${refused.address} is private`)
    if (addresses.length === 0) throw new Error('The name has no address')
    return await send(options, toLookup(addresses), end.signal)
  } catch (error) {
    throw end.signal.aborted ? end.signal.reason : error
  } finally {
    clearTimeout(timer)
    release()
  }
}

const resolveAll = (hostname: string): Promise<readonly LookupAddress[]> => resolveName(hostname, { all: true })

/** What is no address at all is refused as well. */
const isPrivateAddress = (address: string): boolean => !isIp(address) || isPrivateHost(address)

/** Resolves a name to the addresses that were checked, in both of the forms in which sockets call it. */
const toLookup =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    const [first] = addresses
    if (all === true) callback(null, [...addresses])
    else if (first !== undefined) callback(null, first.address, first.family)
  }

function send({ url, headers, body }: Omit<Post, 'resolve'>, lookup: LookupFunction, signal: AbortSignal) {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise<number>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, lookup, signal, agent: false }, (response) => {
      readSome(response).then(() => resolve(response.statusCode ?? 0), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Reads a response to its end, or to the limit: a receiver could send without end. */
async function readSome(response: IncomingMessage): Promise<void> {
  let read = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    read += chunk.length
    if (read >= MAX_RESPONSE) break // the iterator closes the connection
  }
}

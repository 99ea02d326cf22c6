import { requestRefusal, type RequestHead } from '../../model/request-check.js'
import { verifySignInMessage } from '../sign-in.js'
import type { SignInHandlerOptions } from './options.js'

/** A request, whatever the server. */
export interface SignInRequest extends RequestHead {
  /** Without the query. */
  readonly path: string
  /** The body, up to the limits; a status where it exceeds them. Rejects where it is broken off. */
  readonly body: () => Promise<string | 408 | 413>
}

export interface SignInResponse {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

type Respond = (request: SignInRequest) => Promise<SignInResponse>

/**
 * Responds to `POST …/nonce` and `POST …/sign-in`. Rejects where the body is broken off, or the store or `onSignIn`
 * fails.
 */
export function createRespond(options: SignInHandlerOptions & { readonly maxValidity: number }): Respond {
  const { domain, store, maxValidity } = options
  const own = [`https://${domain}`, `http://${domain}`]
  const rules = {
    host: domain.replace(/:\d+$/, ''),
    origins: [...own, ...(options.origins ?? [])],
    anyHost: true, // a proxy may have changed it; the message names the domain
  }

  async function issueNonce(): Promise<SignInResponse> {
    const nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0'))
    await store.add(nonce.join(''), Date.now() + maxValidity)
    return { status: 200, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' }, body: nonce.join('') }
  }

  async function signIn(body: string): Promise<SignInResponse> {
    const signed = readSigned(body)
    if (signed === undefined) return { status: 400 }
    const { network = 'mainnet', onSignIn, onRefused } = options
    const consumeNonce = async (nonce: string): Promise<boolean> => store.consume(nonce)
    const result = await verifySignInMessage({ ...signed, domain, network, maxValidity, consumeNonce })
    if (result.isValid) return { status: 204, headers: { ...(await onSignIn?.(result.fields)) } }
    onRefused?.(result.reason)
    return { status: 401 }
  }

  return async (request) => {
    const action = /\/(nonce|sign-in)$/.exec(request.path)?.[1]
    if (action === undefined) return { status: 404 }
    if (request.method !== 'POST') return { status: 405, headers: { allow: 'POST' } }
    const contentType = action === 'nonce' ? undefined : 'application/json'
    const refusal = requestRefusal(request, { ...rules, contentType })
    if (refusal !== undefined) return toText(refusal)
    if (action === 'nonce') return issueNonce()
    const body = await request.body()
    return typeof body === 'number' ? { status: body, headers: { connection: 'close' } } : signIn(body)
  }
}

const toText = ({ status, reason }: { readonly status: number; readonly reason: string }): SignInResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body: reason,
})

/** Undefined for anything but `{ message, signature }` with two texts. */
function readSigned(body: string): { readonly message: string; readonly signature: string } | undefined {
  const value = parseJson(body)
  if (typeof value !== 'object' || value === null || !('message' in value) || !('signature' in value)) return undefined
  const { message, signature } = value
  return typeof message === 'string' && typeof signature === 'string' ? { message, signature } : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

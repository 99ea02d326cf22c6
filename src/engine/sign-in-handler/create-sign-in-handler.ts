import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { type SignInHandlerOptions, createRespond, type SignInRequest, type SignInResponse } from './respond.js'
import { abortable } from '../../loading/abortable.js'

const END = { done: true, value: undefined } as const

/** The part of Node's `IncomingMessage` that the handler uses. */
export interface NodeSignInRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The part of Node's `ServerResponse` that the handler uses. */
export interface NodeSignInResponse {
  writeHead(status: number, headers: Record<string, string>): unknown
  end(body?: string): unknown
}

/**
 * Serves `POST …/nonce`, whose response is a nonce, and `POST …/sign-in` with `{ message, signature }` as JSON, below
 * any path.
 */
export interface SignInHandler {
  /** For servers of the fetch standard: Deno, Bun, workers, Nitro. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>
  /** For `createServer` of Node, and for frameworks on it. Never rejects, also where the client breaks off. */
  readonly node: (request: NodeSignInRequest, response: NodeSignInResponse) => Promise<void>
}

const OPTIONS = [
  ...['domain', 'store', 'network', 'maxValidity', 'onSignIn', 'onRefused', 'origins', 'maxBodySize', 'bodyTimeout'],
]

/**
 * Creates the server's part of sign-in with an address. A nonce is stored for `maxValidity` and accepted once; bodies
 * have limits in size and time; pages of other origins are refused. Throws `ChainError` (`invalid-argument`).
 * @example
 * const handler = createSignInHandler({ domain: 'example.com', store: createMemoryNonceStore() })
 * createServer(handler.node).listen(8080)
 */
export function createSignInHandler(options: SignInHandlerOptions): SignInHandler {
  checkOptions(options)
  const { maxValidity = 24 * 60 * 60_000, maxBodySize = 16_384, bodyTimeout = 10_000 } = options
  const limits = { maxBodySize, bodyTimeout }
  const respond = createRespond({ ...options, maxValidity })
  const serve = <Sent>(request: SignInRequest, send: (response: SignInResponse) => Sent): Promise<Sent> =>
    respond(request)
      .then(send)
      .catch(() => send(FAILURE))
  return {
    fetch: (request) => {
      const { method, headers, url } = request
      const head = { method, headers: Object.fromEntries(headers), path: new URL(url).pathname }
      const body = () => readBody(request.body && chunksOf(request.body), limits)
      return serve({ ...head, body }, toResponse)
    },
    node: (request, response) => {
      const [path = ''] = (request.url ?? '').split(/[?#]/, 1)
      const { method, headers } = request
      return serve({ method, headers, path, body: () => readBody(request, limits) }, (sent) => {
        response.writeHead(sent.status, { ...sent.headers })
        response.end(sent.body)
      })
    },
  }
}

/** A body that was broken off, a store that failed, or headers that cannot be sent: nothing of it is for the client. */
const FAILURE: SignInResponse = { status: 500 }

const toResponse = ({ status, headers, body }: SignInResponse): Response =>
  new Response(body ?? null, { status, ...(headers && { headers }) })

/** Not every environment iterates a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => undefined) // the client has ended it
  }
}

function checkOptions(options: SignInHandlerOptions): void {
  refuseUnknown(options, OPTIONS)
  const { domain } = options
  if (typeof domain !== 'string' || !/^[a-z0-9.-]+(:\d{1,5})?$/.test(domain)) {
    throw invalidArgument('domain', '"domain" is no host', 'Pass a host in lower case: example.com.')
  }
  if (!isStore(options.store)) {
    throw invalidArgument(
      'store',
      '"store" is no store of nonces',
      'Pass createMemoryNonceStore(), or { add, consume }.',
    )
  }
  for (const name of ['maxValidity', 'maxBodySize', 'bodyTimeout'] as const) {
    const value = options[name]
    if (value !== undefined && !(Number.isFinite(value) && value > 0)) {
      throw invalidArgument(name, `"${name}" is no number above 0`, 'Pass a finite number.')
    }
  }
}

const isStore = (value: unknown): boolean => hasMethod(value, 'add') && hasMethod(value, 'consume')

const hasMethod = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[name] === 'function'

/** Reads a body up to `maxBodySize` bytes within `bodyTimeout` ms; otherwise the status that says why not. */
async function readBody(
  chunks: AsyncIterable<Uint8Array> | null,
  { maxBodySize, bodyTimeout }: { readonly maxBodySize: number; readonly bodyTimeout: number },
): Promise<string | 408 | 413> {
  const iterator = chunks?.[Symbol.asyncIterator]()
  const decoder = new TextDecoder()
  const timeout = AbortSignal.timeout(bodyTimeout)
  let [text, size] = ['', 0]
  try {
    for (;;) {
      const next = await abortable(timeout, async () => iterator?.next() ?? END)
      if (next.done === true) return text + decoder.decode()
      size += next.value.length
      if (size > maxBodySize) return 413
      text += decoder.decode(next.value, { stream: true })
    }
  } catch (error) {
    if (error === timeout.reason) return 408
    throw error
  }
}

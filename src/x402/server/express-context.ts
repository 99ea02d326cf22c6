import { type RequestScope, type ContextPort, type ContextSettings, replacementOf, toStored } from './request-scope.js'

/** A request of Express, or of Node. */
export interface ExpressRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Of Express: before a router has cut it. */
  readonly originalUrl?: string | undefined
  /** Of Express: `http` or `https`, behind a trusted proxy too. */
  readonly protocol?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly complete: boolean
  read(): Uint8Array | null
  unshift(chunk: Uint8Array): void
  on(event: 'readable' | 'end' | 'error', handle: (error?: Error) => void): unknown
  off(event: 'readable' | 'end' | 'error', handle: (error?: Error) => void): unknown
}

/** A response of Express, or of Node. */
export interface ExpressResponse {
  statusCode: number
  readonly headersSent: boolean
  setHeader(name: string, value: string): unknown
  removeHeader(name: string): void
  getHeaders(): Readonly<Record<string, string | number | readonly string[] | undefined>>
  write(...parameters: never[]): boolean
  end(...parameters: never[]): unknown
  writeHead(...parameters: never[]): unknown
  flushHeaders(): void
}

export type ExpressNext = (error?: unknown) => unknown

/** The middleware for Express and whatever calls `(request, response, next)` on Node. */
export const createExpressContext =
  (settings: ContextSettings, { scopes, respond }: ContextPort) =>
  async (request: ExpressRequest, response: ExpressResponse, next: ExpressNext): Promise<undefined> => {
    const body = await readBody(request, settings.maxBody)
    if (body instanceof Error) {
      next(body) // Express 4 ignores promises: a rejection would end the process
      return undefined
    }
    if (body === undefined) {
      response.statusCode = 413
      response.end()
      return undefined
    }
    const scope: RequestScope = {
      identity: { request: { method: request.method ?? 'GET', url: urlOf(request, settings), body } },
      hasHandler: true,
      deadline: undefined,
      outcome: { type: 'none' },
    }
    holdResponse(response, scope, respond)
    await scopes.run(scope, () => next())
    return undefined
  }

function urlOf(request: ExpressRequest, { origin }: ContextSettings): string {
  const { protocol = 'http', originalUrl = request.url ?? '/', headers } = request
  return `${origin ?? `${protocol}://${String(headers.host ?? 'localhost')}`}${originalUrl}`
}

/**
 * Reads the body and puts it back, so that parsers after this one find it: the chunks are unshifted in the turn in
 * which the last one was read, before the stream ends. Undefined where it is too large, an error where the client ended
 * the connection.
 */
function readBody(request: ExpressRequest, max: number): Promise<Uint8Array | Error | undefined> {
  const { headers } = request
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  if (!hasBody) return Promise.resolve(new Uint8Array())
  if (Number(headers['content-length'] ?? 0) > max) return Promise.resolve(undefined)
  const expected = headers['content-length'] === undefined ? Infinity : Number(headers['content-length'])
  const chunks: Uint8Array[] = []
  let length = 0
  return new Promise((resolve) => {
    const finish = (result: Uint8Array | Error | undefined): void => {
      request.off('readable', onReadable)
      request.off('end', onEnd)
      request.off('error', onError)
      if (result instanceof Uint8Array && result.length > 0) request.unshift(result)
      resolve(result)
    }
    const onReadable = (): void => {
      for (let chunk = request.read(); chunk !== null; chunk = request.read()) {
        chunks.push(chunk)
        length += chunk.length
        if (length <= max && length < expected) continue
        finish(length > max ? undefined : globalThis.Buffer.concat(chunks))
        return
      }
      if (request.complete) finish(globalThis.Buffer.concat(chunks))
    }
    const onEnd = (): void => finish(globalThis.Buffer.concat(chunks))
    const onError = (error?: Error): void => finish(error ?? new Error('The request was aborted'))
    request.on('end', onEnd)
    request.on('error', onError)
    request.on('readable', onReadable)
  })
}

type Call = readonly ['writeHead' | 'write' | 'end', readonly unknown[]]

/**
 * Holds back what is written until the end: then it is known whether a payment is served, replayed or pending, and the
 * response of a handler is stored before it is sent. Without a payment nothing is held back.
 */
function holdResponse(response: ExpressResponse, scope: RequestScope, respond: ContextPort['respond']): void {
  const original = {
    writeHead: response.writeHead.bind(response) as (...given: readonly unknown[]) => unknown,
    write: response.write.bind(response) as (...given: readonly unknown[]) => boolean,
    end: response.end.bind(response) as (...given: readonly unknown[]) => unknown,
    flushHeaders: response.flushHeaders.bind(response),
  }
  const held: Call[] = []
  const isHeld = (): boolean => scope.outcome.type !== 'none'
  const restore = (): void => void Object.assign(response, original)
  const flush = (): void => {
    restore()
    for (const [method, given] of held) original[method](...given)
  }
  Object.assign(response, {
    flushHeaders: () => (isHeld() ? undefined : original.flushHeaders()),
    writeHead(...given: readonly unknown[]) {
      if (!isHeld()) return original.writeHead(...given)
      held.push(['writeHead', given])
      return response
    },
    write(...given: readonly unknown[]) {
      if (!isHeld()) return original.write(...given)
      held.push(['write', given])
      return true
    },
    end(...given: readonly unknown[]) {
      if (!isHeld()) return original.end(...given)
      held.push(['end', given])
      const replacement = replacementOf(scope.outcome)
      if (replacement !== undefined) {
        restore()
        replace(response, replacement, original.end)
      } else if (scope.outcome.type === 'serving') {
        const stored = toStored(statusOf(response, held), headersOf(response, held), bodyOf(held))
        void respond(scope.outcome.payment, stored).then(flush)
      }
      return response
    },
  })
}

function replace(
  response: ExpressResponse,
  { status, headers, body }: NonNullable<ReturnType<typeof replacementOf>>,
  end: (...given: readonly unknown[]) => unknown,
): void {
  response.statusCode = status
  if (body !== undefined) for (const name of Object.keys(response.getHeaders())) response.removeHeader(name)
  else response.removeHeader('content-length')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  if (body === undefined) end()
  else end(body)
}

/** The head may be given with `writeHead`, in place of `statusCode` and `setHeader`. */
function headOf(held: readonly Call[]): { readonly status: number | undefined; readonly headers: object } {
  const given = held.find(([method]) => method === 'writeHead')?.[1] ?? []
  const [status] = given
  const headers = given.find((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  return { status: typeof status === 'number' ? status : undefined, headers: headers ?? {} }
}

const statusOf = (response: ExpressResponse, held: readonly Call[]): number =>
  headOf(held).status ?? response.statusCode

const headersOf = (response: ExpressResponse, held: readonly Call[]): readonly (readonly [string, string])[] =>
  Object.entries({ ...response.getHeaders(), ...headOf(held).headers }).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' || typeof value === 'number' || Array.isArray(value)
      ? [[name, Array.isArray(value) ? value.join(', ') : String(value)] as const]
      : [],
  )

function bodyOf(held: readonly Call[]): Uint8Array {
  const chunks = held.flatMap(([method, [chunk, encoding]]) => {
    if (method === 'writeHead') return []
    if (chunk instanceof Uint8Array) return [chunk]
    if (typeof chunk !== 'string') return []
    return [globalThis.Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')]
  })
  return globalThis.Buffer.concat(chunks)
}

/** A request of Hono, as far as it is read here. */
interface HonoRequest {
  readonly method: string
  arrayBuffer(): Promise<ArrayBuffer>
}

/** The body of a request in Hono, which handlers read again. Undefined where it has more than `max` bytes. */
export async function readHonoBody(req: HonoRequest, max: number): Promise<Uint8Array | undefined> {
  if (req.method === 'GET' || req.method === 'HEAD') return new Uint8Array()
  if (!hasStream(req)) return limited(await req.arrayBuffer(), max)
  const { headers } = req.raw
  if (Number(headers.get('content-length') ?? 0) > max) return undefined
  const isMeasured = headers.has('content-length') && !headers.has('transfer-encoding')
  if (isMeasured) return limited(await req.arrayBuffer(), max)
  const body = await readChunks(req.raw.body, max)
  if (body !== undefined) Object.assign(req, { raw: new Request(req.raw, { body: new Uint8Array(body) }) })
  return body
}

/** Hono keeps the request of Fetch, and replaces it where a body was read. */
interface Streamed {
  readonly raw: Request & { readonly body: ReadableStream<Uint8Array> }
}

/** Of a body that nothing has read yet: what other middleware has read is cached. */
const hasStream = (req: object): req is Streamed =>
  'raw' in req && req.raw instanceof Request && req.raw.body !== null && !req.raw.bodyUsed

const limited = (body: ArrayBuffer, max: number): Uint8Array | undefined =>
  body.byteLength > max ? undefined : new Uint8Array(body)

/** A client could send without end: what exceeds the limit is not received. */
async function readChunks(stream: ReadableStream<Uint8Array>, max: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    length += value.length
    if (length > max) {
      reader.cancel().catch(() => undefined) // the connection has already failed
      return undefined
    }
    chunks.push(new Uint8Array(value))
  }
}

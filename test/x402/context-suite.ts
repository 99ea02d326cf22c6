import { createServer, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { createExpressContext } from '../../src/x402/server/express-context.js'
import { createHonoContext } from '../../src/x402/server/hono-context.js'
import { createRequestScopes } from '../../src/x402/server/request-scope.js'

/** The middleware, before anything is paid. */
export function contextTests(): void {
  const settings = { origin: undefined, maxBody: 1_000 }
  const port = { scopes: createRequestScopes(), respond: () => Promise.resolve() }

  it('hands the next middleware the error of an upload that its client ends, without a rejection', async () => {
    const middleware = createExpressContext(settings, port)
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"half"')
    const [request, response] = (await once(server, 'request')) as Parameters<typeof middleware>
    const passed: unknown[] = []
    const ended = middleware(request, response, (error) => passed.push(error))
    if (!('readableLength' in request) || request.readableLength === 0)
      await once(request as unknown as IncomingMessage, 'readable')
    socket.resetAndDestroy()
    await ended
    expect(passed).toEqual([expect.objectContaining({ code: 'ECONNRESET' })])
    server.close()
  })

  /** A body of many chunks, without a length. */
  function bodyOf(chunks: number): { readonly stream: ReadableStream<Uint8Array>; readonly sent: () => number } {
    let sent = 0
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === chunks) controller.close()
        else controller.enqueue(new Uint8Array(100).fill(97))
        sent = Math.min(chunks, sent + 1)
      },
    })
    return { stream, sent: () => sent }
  }

  const app = new Hono()
  app.use((context, next) => createHonoContext(settings, port)(context, next))
  app.post('/', async (context) => context.text(await context.req.text()))
  const post = (body: RequestInit['body'], headers = {}) =>
    app.request('/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

  it('receives no more of a body without a length than may be sent, in Hono', async () => {
    const { stream, sent } = bodyOf(1_000)
    expect((await post(stream)).status).toBe(413)
    expect(sent()).toBeLessThan(20)
    const { stream: announced, sent: received } = bodyOf(1_000)
    expect((await post(announced, { 'content-length': '100000' })).status).toBe(413)
    expect(received()).toBeLessThan(2)
  })

  it('leaves a body to the handler of Hono', async () => {
    expect(await (await post(bodyOf(9).stream)).text()).toBe('a'.repeat(900))
    expect(await (await post('text', { 'content-length': '4' })).text()).toBe('text')
    expect(await (await post('')).text()).toBe('')
  })
}

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Sends the beginning of a request as it is. */
export async function openRequest(url: string, lines: readonly string[], body = ''): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined) // the server may cut the connection
  await once(socket, 'connect')
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

/**
 * Sends a request as it is; resolves to the status of the response, 0 where the server closed the connection without
 * one.
 */
export async function statusOf(url: string, lines: readonly string[], body = ''): Promise<number> {
  const socket = await openRequest(url, lines, body)
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  await Promise.race([once(socket, 'close'), once(socket, 'data')])
  socket.destroy()
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
}

/** What a program serves. */
export interface Target {
  readonly url: string
  /** Takes a POST request with a body; undefined where there is none. */
  readonly post?: string | undefined
  /** Headers of a client that may use it. */
  readonly headers?: readonly string[] | undefined
  /** The response to a good GET request: `/path` and its status. */
  readonly get: readonly [path: string, status: number]
}

/** The status of the response to the good request. */
export function statusOfGood({ url, headers = [], get: [path] }: Target): Promise<number> {
  return statusOf(url, [`GET ${path} HTTP/1.1`, `Host: ${new URL(url).host}`, ...headers])
}

/** The statuses of a hostile client's requests, by attack. */
export async function attack({ url, post, headers = [], get: [path] }: Target): Promise<Record<string, number>> {
  const { host } = new URL(url)
  const to = (method: string, target: string, ...more: readonly string[]): readonly string[] => [
    ...[`${method} ${target} HTTP/1.1`, `Host: ${host}`, ...headers, ...more],
  ]
  const json = 'Content-Type: application/json'
  const result: Record<string, number> = {}
  for (const target of ['/%', '/%E0%A4%A', `${path}/%zz`, '//%', '*']) {
    result[`GET ${target}`] = await statusOf(url, to('GET', target))
  }
  result['foreign origin'] = await statusOf(url, to('GET', path, 'Origin: https://evil.test'))
  result['foreign host'] = await statusOf(url, ['GET / HTTP/1.1', 'Host: evil.test', ...headers])
  if (post !== undefined) {
    const brokenOff = await openRequest(url, to('POST', post, json, 'Content-Length: 1000'), '{"id":')
    brokenOff.destroy()
    result['foreign origin, text'] = await statusOf(
      url,
      to('POST', post, 'Origin: https://evil.test', 'Content-Type: text/plain', 'Content-Length: 2'),
      '{}',
    )
    result['wrong content type'] = await statusOf(
      url,
      to('POST', post, 'Content-Type: text/plain', 'Content-Length: 2'),
      '{}',
    )
    result['no JSON'] = await statusOf(url, to('POST', post, json, 'Content-Length: 1'), '{')
    const large = 'x'.repeat(2_000_000)
    result.oversized = await statusOf(url, to('POST', post, json, `Content-Length: ${large.length}`), large)
    result['oversized in chunks'] = await statusOf(
      url,
      to('POST', post, json, 'Transfer-Encoding: chunked'),
      `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`,
    )
  }
  return result
}

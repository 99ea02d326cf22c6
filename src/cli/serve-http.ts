import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ChainError } from '../errors/chain-error.js'

export interface HttpServer {
  readonly url: string
  close(): Promise<void>
}

/** Rejects with `ChainError` (`invalid-option`) where the port is taken, or the host is none of this machine. */
export async function serveHttp(
  { host, port }: { readonly host: string; readonly port: number },
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<HttpServer> {
  const server = createServer(handle)
  try {
    server.listen(port, host) // throws for a port above 65535
    await once(server, 'listening')
  } catch (error) {
    throw notServed(host, port, error)
  }
  const { port: actual } = server.address() as AddressInfo // a TCP server
  return {
    url: `http://${host}:${actual}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Why a port cannot be used, by the code of the error. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'it is not permitted'],
  ['ERR_SOCKET_BAD_PORT', 'it is no port'],
])

/** `EADDRINUSE` of the flag `--port`, `ENOTFOUND` of `--host`. */
function notServed(host: string, port: number, cause: unknown): ChainError {
  const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const isTaken = code === 'EADDRINUSE'
  const reason = REASONS.get(code) ?? String(code ?? cause)
  return new ChainError(`Cannot listen on port ${port} of ${host}: ${reason}`, {
    code: 'invalid-option',
    argument: REASONS.has(code) ? 'port' : 'host',
    details: '',
    hint: isTaken ? 'Pass another --port, or 0 for none.' : 'See --port and --host.',
    cause,
  })
}

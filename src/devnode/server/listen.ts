import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ChainError } from '../../errors/chain-error.js'
import { networkInterfaces } from 'node:os'
import type { RequestRules } from '../../model/request-check.js'

/** Where a server listens. Port 0: any free port. */
export interface ListenAddress {
  readonly host: string
  /** Origins of browsers that may connect, besides pages from loopback and `host`. */
  readonly origins: readonly string[]
  readonly port: number
  /** The option that set the port; named in errors. */
  readonly option: string
}

/**
 * Listens, and resolves to the port. Rejects with `ChainError` (`invalid-option`, `argument` the option): the port is
 * in use, or the host is not an address of this machine.
 */
export function listen(server: Server, address: ListenAddress): Promise<number> {
  const { host, port } = address
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) => reject(listenError(cause, address))
    server.once('error', failed)
    server.listen({ host, port }, () => {
      server.off('error', failed)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** Stops listening; resolves when the last connection has ended, so end those first. */
export function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve()) // the only error is that the server was not listening
  })
}

/** A host for use in a URL: IPv6 in brackets, wildcard addresses as loopback. */
export function toUrlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

function listenError(cause: NodeJS.ErrnoException, { host, port, option }: ListenAddress): ChainError {
  if (cause.code === 'EADDRINUSE') {
    const hint = 'Stop the process that uses it, or choose another port; 0 takes any free one.'
    return new ChainError(`Port ${port} is already in use`, {
      code: 'invalid-option',
      argument: option,
      hint,
      cause,
    })
  }
  const hint = 'The host must be an address of this machine, and this user must be allowed to open the port.'
  const argument = cause.code === 'EACCES' ? option : 'host'
  return new ChainError(`Cannot listen on ${host}:${port} (${cause.message})`, {
    code: 'invalid-option',
    argument,
    hint,
    cause,
  })
}

/**
 * Which requests the servers of a devnode accept: of clients other than browsers, and of pages from loopback, `host` or
 * `origins`.
 */
export const rulesOf = ({ host, origins }: Pick<ListenAddress, 'host' | 'origins'>): RequestRules => ({
  host,
  origins,
  ownAddresses: () => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
})

/** The TCP connections of a server, those that became WebSockets included. */
interface Sockets {
  /** Totals since the server started. */
  bytes(): { readonly bytesSent: number; readonly bytesReceived: number }
  count(): number
  destroyAll(): void
}

export function trackSockets(server: Server): Sockets {
  const open = new Set<Socket>()
  let sentBefore = 0
  let receivedBefore = 0
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      sentBefore += socket.bytesWritten
      receivedBefore += socket.bytesRead
    })
  })
  return {
    bytes: () => ({
      bytesSent: [...open].reduce((sum, socket) => sum + socket.bytesWritten, sentBefore),
      bytesReceived: [...open].reduce((sum, socket) => sum + socket.bytesRead, receivedBefore),
    }),
    count: () => open.size,
    destroyAll() {
      for (const socket of open) socket.destroy()
    },
  }
}

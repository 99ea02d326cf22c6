import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

/** A server that listens on a free port of loopback. */
export interface Listening {
  readonly port: number
  /** Its URL as an HTTP server. */
  readonly url: string
  /** Ends its connections too. */
  close(): Promise<void>
}

/** Lets an HTTP or TCP server listen, on a `wanted` port or on one that the system assigns. */
export async function listen(server: Server, wanted = 0): Promise<Listening> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(wanted, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

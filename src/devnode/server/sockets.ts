import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The TCP connections of a server, those that became WebSockets included. */
export interface Sockets {
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

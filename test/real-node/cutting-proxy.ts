import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy that ends connections. */
export interface CuttingProxy {
  readonly url: string
  /** Connections that were opened. */
  readonly connections: () => number
  /** Ends each connection after so many bytes of the node; undefined for none. Also those that are open. */
  cutAfter(bytes: (() => number) | undefined): void
  /** Ends all connections. */
  cut(): void
  close(): Promise<void>
}

/** Opens a proxy to a port of loopback. */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const open = new Map<Socket, { left: number }>()
  let limit: (() => number) | undefined
  let connections = 0
  const end = (client: Socket, node: Socket): void => {
    open.delete(client)
    client.destroy()
    node.destroy()
  }
  const server = createServer((client) => {
    const node = connect(port, '127.0.0.1')
    const state = { left: limit?.() ?? Infinity }
    connections++
    open.set(client, state)
    client.pipe(node)
    node.on('data', (data: Buffer) => {
      client.write(data.subarray(0, Math.min(state.left, data.length)))
      state.left -= data.length
      if (state.left <= 0) client.end(() => end(client, node))
    })
    for (const socket of [client, node]) {
      socket.on('error', () => end(client, node))
      socket.on('close', () => end(client, node))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => [...open.keys()].forEach((client) => client.destroy())
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    cutAfter: (bytes) => {
      limit = bytes
      for (const state of open.values()) state.left = bytes?.() ?? Infinity
    },
    cut,
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

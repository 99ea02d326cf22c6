import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP proxy that can fail as networks do. */
export interface Proxy {
  readonly port: number
  /** Resets every connection. */
  cut(): void
  /** Forwards nothing more on the connections that exist, and does not close them. New ones work. */
  freeze(): void
  /** Forwards new connections to another port. */
  redirect(target: number): void
  close(): Promise<void>
}

export async function createProxy(first: number): Promise<Proxy> {
  let target = first
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    const end = (): void => {
      client.destroy()
      upstream.destroy()
      pairs.delete(pair)
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    client.pipe(upstream)
    upstream.pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const [client, upstream] of pairs) {
      client.resetAndDestroy()
      upstream.destroy()
    }
    pairs.clear()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    redirect: (next) => void (target = next),
    freeze() {
      for (const [client, upstream] of pairs) {
        client.unpipe()
        upstream.unpipe()
        client.pause()
        upstream.pause()
      }
    },
    async close() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

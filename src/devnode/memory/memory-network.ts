import type { PlatformSocket } from '../../platform/port.js'
import type { HttpHandler } from '../http.js'
import { createSocketPair, type SocketPair } from './memory-socket.js'
import type { Post } from './pipe.js'

/** Accepts a client's connection. */
export type Accept = (pair: SocketPair) => void

/** The URLs of a network in memory: those of a node and its forks. */
export interface MemoryNetwork {
  /** A host name that no other node of this page has. */
  nextHost(): string
  listen(url: string, accept: Accept): void
  /** Serves HTTP for all URLs that begin with `origin`. */
  serve(origin: string, handler: HttpHandler): void
  close(url: string): void
  openSocket(url: string): PlatformSocket
  /** The handler of a URL. */
  handlerOf(url: URL): HttpHandler | undefined
}

let hosts = 0

export function createMemoryNetwork(post: Post): MemoryNetwork {
  const servers = new Map<string, Accept>()
  const handlers = new Map<string, HttpHandler>()
  return {
    nextHost: () => `devnode-${++hosts}.invalid`, // RFC 2606: never a host on the internet
    listen: (url, accept) => void servers.set(url, accept),
    serve: (origin, handler) => void handlers.set(origin, handler),
    close(url) {
      servers.delete(url)
      handlers.delete(url)
    },
    openSocket(url) {
      const pair = createSocketPair(post)
      const accept = servers.get(url.replace(/\/$/, ''))
      if (accept === undefined) pair.server.terminate()
      else accept(pair)
      return pair.client
    },
    handlerOf: ({ origin }) => handlers.get(origin),
  }
}

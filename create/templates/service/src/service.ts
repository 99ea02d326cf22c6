import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { combineLatest, filter, firstValueFrom } from 'rxjs'
import { createFeed } from 'vue-chain/feed'
import type { ChainEngine, ChainNetwork } from 'vue-chain/streams'
import { createApi, type Health } from './api.js'
import type { Database } from './database.js'

export interface ServiceOptions {
  readonly engine: ChainEngine
  readonly database: Database
  readonly network: ChainNetwork
  /** How deep a block must be before its transfers are stored; 100 are about ten seconds. */
  readonly minConfirmations: number
  /** 0 for any free one. */
  readonly port: number
  /** The interface to listen on. @default '127.0.0.1', this machine only */
  readonly host?: string
}

/** Ms that requests in progress may take at the end. */
const GRACE = 2_000

/** A running service. */
export interface Service {
  readonly url: string
  /** Ends the feed between two steps, and the API. */
  readonly stop: () => void
  /** Resolves after `stop()`. Rejects where the feed cannot go on: let a supervisor start the process again. */
  readonly ended: Promise<void>
}

/** Stores the transfers of watched addresses, and serves them. Resolves once it does both. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { engine, database, network, minConfirmations, port, host = '127.0.0.1' } = options
  const feed = createFeed({ engine, sink: database.sink, watch: 'table', minConfirmations })
  let health: Health = { network, connection: 'disconnected', feed: 'stopped' }
  combineLatest([engine.connection.state$, feed.status$]).subscribe(
    ([connection, { phase }]) => (health = { network, connection: connection.status, feed: phase }),
  )

  const stopped = new AbortController()
  const delivered = feed.run({ signal: stopped.signal })
  const running = firstValueFrom(feed.status$.pipe(filter(({ phase }) => phase === 'running')))
  await Promise.race([running, delivered]) // from here on the tables exist

  const server = createApi(database, () => health, host).listen(port, host)
  await once(server, 'listening')
  const ended = delivered.finally(() => closeServer(server))
  const { port: chosen } = server.address() as AddressInfo
  return { url: `http://${host}:${chosen}`, stop: () => stopped.abort(), ended }
}

/** Takes no new requests, and resolves when none is in progress: a client that is slow would hold the process. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const timer = setTimeout(() => server.closeAllConnections(), GRACE)
  await closed
  clearTimeout(timer)
}

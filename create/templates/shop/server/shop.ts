import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { createFeed, createPayments, createPgliteSink } from 'vue-chain/feed'
import { requestRefusal } from 'vue-chain/light'
import { createPayouts, pgliteJournal, type Payouts } from 'vue-chain/payouts'
import type { Account, ChainEngine } from 'vue-chain/streams'
import type { Shop } from './actions.js'
import { handleApi } from './api.js'
import { createTable } from './orders.js'

export interface ShopOptions {
  /** Follows the chain, and looks up. Two, so that catching up after a restart delays no order. */
  readonly engines: readonly [feed: ChainEngine, lookUps: ChainEngine]
  /**
   * Opens the database once the port is taken: a second process of the same folder, which would destroy its rows, has
   * ended by then.
   */
  readonly openDatabase: () => Promise<PGlite>
  /** Whose addresses customers pay to: derived from an extended public key, without a private key. */
  readonly account: Account
  /** The first address of the account that may be used. @default 0 */
  readonly startIndex?: number
  /** What pays refunds; without it they are refused. */
  readonly hotWallet?: { readonly address: string; readonly privateKeyHex: string } | undefined
  readonly chain: Shop['chain']
  readonly token: string
  /** How deep a payment must be before the shop delivers; 100 are about ten seconds. */
  readonly confirmations: number
  /** How many orders may wait for their payment at the same time. */
  readonly maxWaiting: number
  /** Does not listen yet. */
  readonly server: Server
  /** 0 for any free one. */
  readonly port: number
  readonly host: string
  /** Where browsers find the shop, such as `https://shop.example`, if it is behind a proxy. */
  readonly origin?: string | undefined
  /** Responds to everything but `/api`. */
  readonly page: (request: IncomingMessage, response: ServerResponse, url: URL) => void
}

/** A running shop. */
export interface RunningShop {
  readonly url: string
  readonly stop: () => void
  /** Resolves after `stop()`. Rejects where it cannot go on: let a supervisor start the process again. */
  readonly ended: Promise<void>
}

/** Takes orders, follows their payments, delivers and refunds. */
export async function startShop(options: ShopOptions): Promise<RunningShop> {
  const { engines, openDatabase, account, startIndex, chain, token, confirmations, maxWaiting } = options
  const { server, port, host } = options
  const [engine, lookUps] = engines
  let shop: Shop | undefined
  server.on('request', (request, response) => {
    if (shop === undefined) response.writeHead(503, { 'retry-after': '1', connection: 'close' }).end() // it starts
    else handle(request, response, shop, options)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const url = `http://${host}:${(server.address() as AddressInfo).port}`

  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const database = await openDatabase()
  const payouts = openPayouts(options, database)
  // the receiver is a part of this program; it may as well be another one
  const webhook = { url: `${url}/api/webhook`, secret, allowPrivate: true }
  const payments = createPayments({ engine: lookUps, database, account, startIndex, webhook, payouts })
  const feed = createFeed({ engine, sink: createPgliteSink({ database }), watch: 'table', minConfirmations: 0 })
  await createTable(database)
  await payments.list({ limit: 1 }) // from here on its tables exist
  await payouts?.list({ limit: 1 })

  shop = { payments, database, confirmations, maxWaiting, chain, secret, token }
  const stopped = new AbortController()
  const { signal } = stopped
  const runs = [feed.run({ signal }), payments.run({ signal }), payouts?.run({ signal })]
  const ended = Promise.all(runs).finally(async () => {
    stopped.abort() // where one of them rejects
    await Promise.allSettled(runs)
    server.closeAllConnections()
    server.close()
    await database.close()
  })
  return { url, stop: () => stopped.abort(), ended: ended.then(() => undefined) }
}

/** Refuses pages of other sites, and names that only resolve to this machine. */
function handle(request: IncomingMessage, response: ServerResponse, shop: Shop, options: ShopOptions): void {
  const { host, origin, page } = options
  const origins = origin === undefined ? [] : [origin]
  // behind a proxy and in a container it has other names
  const rules = { host, origins, anyHost: origin !== undefined || host !== '127.0.0.1' }
  const refusal = requestRefusal(request, rules)
  const url = `http://localhost${request.url ?? '/'}`
  if (refusal !== undefined) response.writeHead(refusal.status, { connection: 'close' }).end(refusal.reason)
  else if (!URL.canParse(url)) response.writeHead(400, { connection: 'close' }).end()
  else if (!handleApi(request, response, new URL(url), shop)) page(request, response, new URL(url))
}

/** A queue of refunds, each of which is paid exactly once. */
function openPayouts({ engines, hotWallet, confirmations }: ShopOptions, database: PGlite): Payouts | undefined {
  if (hotWallet === undefined) return undefined
  const { address, privateKeyHex } = hotWallet
  return createPayouts({
    engine: engines[1],
    journal: pgliteJournal({ database }),
    addresses: [address],
    privateKeys: [privateKeyHex],
    minConfirmations: confirmations,
  })
}

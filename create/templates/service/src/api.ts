import { createServer, type IncomingMessage, type Server } from 'node:http'
import { requestRefusal, type RequestRefusal } from 'vue-chain/light'
import { isValidAddress, type ChainNetwork } from 'vue-chain/streams'
import { read, watch } from './addresses.js'
import type { Database } from './database.js'

/** What the service does: the state of its connection and of its feed. */
export interface Health {
  readonly network: ChainNetwork
  readonly connection: string
  readonly feed: string
}

type Response = readonly [status: number, body: unknown]

/**
 * - `GET /healthz`: 200 while connected, else 503.
 * - `PUT /addresses/<address>`: watches an address.
 * - `GET /addresses/<address>`: its balance and transfers in KAS.
 *
 * Pages of other sites are refused, also those whose name resolves to this machine; `host` is the interface that it
 * listens on.
 */
export function createApi(database: Database, health: () => Health, host: string): Server {
  const isLocal = host === '127.0.0.1'
  // behind a proxy and in a container it has other names
  const rules = { host, anyHost: !isLocal, methods: ['GET', 'PUT'] }
  return createServer({ requestTimeout: 10_000 }, (request, response) => {
    const refusal = requestRefusal(request, rules)
    const responded = refusal ? refuse(refusal) : respond(request, database, health())
    responded.then(
      ([status, body]) => {
        // after an error the remaining body is not read
        const headers = { 'content-type': 'application/json', ...(status >= 400 && { connection: 'close' }) }
        response.writeHead(status, headers).end(`${JSON.stringify(body)}\n`)
      },
      (error: unknown) => {
        console.error(error)
        response.writeHead(500).end()
      },
    )
  })
}

const refuse = async ({ status, reason }: RequestRefusal): Promise<Response> => [status, { error: reason }]

async function respond({ method, url = '/' }: IncomingMessage, database: Database, health: Health): Promise<Response> {
  if (url === '/healthz') return [health.connection === 'connected' ? 200 : 503, health]
  const address = /^\/addresses\/([a-z]+:[a-z0-9]+)$/.exec(url)?.[1]
  if (address === undefined) return [404, { error: 'not found' }]
  if (!isValidAddress(address, health.network)) return [400, { error: `no address of ${health.network}` }]
  if (method === 'PUT') {
    await watch(database, health.network, address)
    return [202, { address }]
  }
  const found = await read(database, health.network, address)
  return found === undefined ? [404, { error: 'not watched' }] : [200, found]
}

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { paymentMiddleware as expressPayments } from '@x402/express'
import { paymentMiddleware as honoPayments } from '@x402/hono'
import { x402ResourceServer } from '@x402/core/server'
import express from 'express'
import { Hono } from 'hono'
import type { KaspaFacilitator } from '../../../src/x402/server/facilitator.js'
import { kaspaExact } from '../../../src/x402/server/kaspa-exact.js'

/** A server whose handlers count their calls. */
export interface PaidServer {
  readonly url: string
  readonly calls: string[]
  close(): Promise<void>
}

export interface ServedRoutes {
  readonly payTo: string
  readonly price?: string
  readonly maxTimeoutSeconds?: number
  /** @default a free one */
  readonly port?: number
  /** Called by the handler of `/report` before it responds. */
  readonly onReport?: () => Promise<void>
}

const routesOf = ({ payTo, price = '0.5 KAS', maxTimeoutSeconds = 60 }: ServedRoutes) => {
  const accepts = { scheme: 'exact', network: 'kaspa:simnet', payTo, price, maxTimeoutSeconds } as const
  return {
    'GET /report': { accepts, description: 'A report' },
    'GET /other': { accepts, description: 'Another report' },
    'GET /fails': { accepts, description: 'A handler that fails' },
    'POST /ask': { accepts, description: 'A response' },
  }
}

/** Express with the unchanged upstream middleware. */
export async function serveExpress(x402: KaspaFacilitator, routes: ServedRoutes): Promise<PaidServer> {
  const calls: string[] = []
  const app = express()
  app.use(x402.context())
  const server = new x402ResourceServer(x402).register('kaspa:*', kaspaExact())
  app.use(expressPayments(routesOf(routes), server))
  app.use(express.json())
  app.get(['/report', '/other'], async (request, response) => {
    calls.push(request.path)
    await routes.onReport?.()
    response.set('x-report', '1').json({ report: calls.length })
  })
  app.get('/fails', (request, response) => {
    calls.push(request.path)
    response.status(500).json({ error: 'The handler failed' })
  })
  app.post('/ask', (request, response) => {
    calls.push(request.path)
    response.json({ response: request.body as unknown })
  })
  const listening = app.listen(routes.port ?? 0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    async close() {
      listening.closeAllConnections()
      listening.close()
      await once(listening, 'close')
    },
  }
}

/** Hono with the unchanged upstream middleware. */
export async function serveHono(x402: KaspaFacilitator, routes: ServedRoutes): Promise<PaidServer> {
  const calls: string[] = []
  const app = new Hono()
  app.use((context, next) => x402.context()(context, next))
  const server = new x402ResourceServer(x402).register('kaspa:*', kaspaExact())
  app.use(honoPayments(routesOf(routes), server))
  app.get('/report', (context) => {
    calls.push(context.req.path)
    context.header('x-report', '1')
    return context.json({ report: calls.length })
  })
  app.post('/ask', async (context) => {
    calls.push(context.req.path)
    return context.json({ response: await context.req.json<unknown>() })
  })
  const listening = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () => new Promise((resolve) => listening.close(() => resolve())),
  }
}

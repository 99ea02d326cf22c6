import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from 'vue-chain/devnode/memory'
import { light } from 'vue-chain/light'
import { createChainEngine, type ChainEngine } from 'vue-chain/streams'
import type { Order } from '../server/actions.js'
import { createPage } from '../server/page.js'
import { PRODUCT } from '../server/product.js'
import { startShop, type RunningShop, type ShopOptions } from '../server/shop.js'

let devnode: MemoryDevnode
let engines: readonly [ChainEngine, ChainEngine]
let options: Omit<ShopOptions, 'server' | 'port'>
let shop: RunningShop

beforeAll(async () => {
  devnode = createMemoryDevnode({ blockInterval: 0, accounts: 2 }) // no ports, blocks on demand
  const open = () => createChainEngine({ ...devnode.engineOptions, sdk: light })
  engines = [open(), open()]
  const [, engine] = engines
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  const kpub = engine.keys.deriveExtendedPublicKey(engine.keys.generateMnemonic(12).phrase, 'simnet')
  options = {
    engines,
    openDatabase: () => PGlite.create(), // in memory
    account: await engine.accounts.fromExtendedPublicKey(kpub),
    hotWallet: devnode.accounts[0],
    chain: { network: 'simnet' },
    token: 'token-of-the-test',
    confirmations: 3,
    maxWaiting: 5,
    host: '127.0.0.1',
    page: (_, response) => void response.writeHead(404).end(),
  }
  shop = await startShop({ ...options, server: createServer(), port: 0 })
})

afterAll(async () => {
  shop.stop()
  await shop.ended
  for (const engine of engines) await engine.dispose()
  await devnode.close()
})

async function call(path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${shop.url}/api/${path}`, init)
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, body: isJson ? JSON.parse(text) : text }
}

/**
 * An order that is paid and confirmed. Confirmations count from the block at which the shop has seen the payment, which
 * is a later one where the shop is slow: blocks are mined until there are enough. `depth` of them are from the payment
 * on.
 */
async function payOrder(): Promise<Order & { paymentId: string; depth: number }> {
  const order = (await call('orders', { method: 'POST' })).body as Order
  const paymentId = await devnode.fund(order.request.address, PRODUCT.price)
  let depth = 1
  await expect
    .poll(async () => {
      await devnode.mine()
      depth += 1
      return ((await call(`orders/${order.id}`)).body as Order).status
    })
    .toBe('confirmed')
  return { ...order, paymentId, depth }
}

it('delivers the file once the payment is confirmed, and not after a reorg has taken it back', async () => {
  const waiting = (await call('orders', { method: 'POST' })).body as Order
  expect(await call(`orders/${waiting.id}/file`)).toMatchObject({ status: 402 })
  const { id, paymentId, depth } = await payOrder()
  expect(await call(`orders/${id}/file`)).toEqual({ status: 200, body: PRODUCT.content })

  await devnode.reorg({ depth, drop: [paymentId] })
  await expect.poll(async () => (await call(`orders/${id}/file`)).status).toBe(402)
})

it('refunds a payment once, to the address that is named', async () => {
  const { id } = await payOrder()
  const { address } = devnode.accounts[1]!
  const balance = () => devnode.expected.balances([address])[0]?.mature ?? 0n
  const before = balance()
  const refund = (authorization: string) =>
    call(`orders/${id}/refund?to=${address}`, { method: 'POST', headers: { authorization } })
  expect(await refund('Bearer other')).toMatchObject({ status: 401 })
  const first = await refund('Bearer token-of-the-test')
  expect(first).toMatchObject({ status: 200, body: { to: address, amount: String(PRODUCT.price) } })
  expect(await refund('Bearer token-of-the-test')).toEqual(first)
  await expect
    .poll(async () => {
      await devnode.mine() // a block that takes it, and one that accepts it
      return balance() - before
    })
    .toBe(PRODUCT.price)
})

it('refuses a webhook without the signature of its secret', async () => {
  expect(await call('webhook', { method: 'POST', body: '{}' })).toMatchObject({ status: 400 })
})

it('refuses a further order while as many wait as may: each has an address that is watched', async () => {
  const order = () => call('orders', { method: 'POST' })
  const statuses: number[] = []
  while (statuses.at(-1) !== 429 && statuses.length < 10) statuses.push((await order()).status)
  expect(statuses).toContain(201)
  expect(await order()).toEqual({
    status: 429,
    body: { error: 'Too many orders wait for their payment: try again in a few minutes' },
  })
})

it('serves its page with a policy by which it runs no code of others', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'page-'))
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const policyOf = async (nodeUrl?: string) => {
    const page = createPage(folder, nodeUrl)
    const server = createServer((request, response) => page(request, response, new URL('http://localhost/')))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    server.close()
    return response.headers.get('content-security-policy')
  }
  expect(await policyOf()).toMatch(/^default-src 'none'; script-src 'self'; .* connect-src 'self' https: wss:;/)
  expect(await policyOf('wss://node.example/borsh')).toContain("connect-src 'self' wss://node.example;")
  rmSync(folder, { recursive: true })
})

it('opens no database where another process has its port: two of them would destroy its rows', async () => {
  let isOpened = false
  const openDatabase = () => {
    isOpened = true
    return PGlite.create()
  }
  const port = Number(new URL(shop.url).port)
  const second = startShop({ ...options, openDatabase, server: createServer(), port })
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(isOpened).toBe(false)
})

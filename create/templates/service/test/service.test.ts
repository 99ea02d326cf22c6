import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMemoryDevnode, type MemoryDevnode } from 'vue-chain/devnode/memory'
import { createChainEngine, kaspaToSompi, type ChainEngine } from 'vue-chain/streams'
import { openPglite, type Database } from '../src/database.js'
import { startService, type Service } from '../src/service.js'

let devnode: MemoryDevnode
let engine: ChainEngine
let database: Database
let service: Service

beforeAll(async () => {
  devnode = createMemoryDevnode({ blockInterval: 0 }) // no ports, blocks on demand
  engine = createChainEngine(devnode.engineOptions)
  database = await openPglite() // in memory
  service = await startService({ engine, database, network: 'simnet', minConfirmations: 0, port: 0 })
})

afterAll(async () => {
  service.stop()
  await service.ended
  await engine.dispose()
  await devnode.close()
  await database.close()
})

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${service.url}${path}`)
  return response.json()
}

it('stores what a watched address receives, and what a reorg takes back', async () => {
  const { address } = devnode.accounts[0]!
  const info = () => get(`/addresses/${address}`)
  await fetch(`${service.url}/addresses/${address}`, { method: 'PUT' })
  await expect.poll(info).toMatchObject({ balance: '1000' })

  const transaction_id = await devnode.fund(address, kaspaToSompi('2.5'))
  await devnode.mine(2)
  const credit = expect.objectContaining({ direction: 'credit', amount: '2.5', transaction_id })
  await expect.poll(info).toMatchObject({ balance: '1002.5', transfers: expect.arrayContaining([credit]) })

  await devnode.reorg({ depth: 3, drop: [transaction_id] })
  await expect.poll(info).toMatchObject({ balance: '1000', transfers: expect.not.arrayContaining([credit]) })
})

it('listens on this machine only by default', () => {
  expect(new URL(service.url).hostname).toBe('127.0.0.1')
})

it('reports its state', async () => {
  await expect.poll(() => get('/healthz')).toEqual({ network: 'simnet', connection: 'connected', feed: 'running' })
})

it('refuses what is no address of the network', async () => {
  expect(await get(`/addresses/kaspa:nonsense`)).toEqual({ error: 'no address of simnet' })
})

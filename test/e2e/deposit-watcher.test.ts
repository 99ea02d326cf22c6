import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { FULL } from '../full.js'
import { freePort } from '../free-port.js'
import { startExample, type ExampleProcess } from './example-process.js'

const KAS = 100_000_000n
/** Not the account that a devnode funds. */
const kpub = vectors[1]!.kpub
const KILLS = FULL ? 60 : 3

let devnode: Devnode
let folder: string
let port: number
let shop: ExampleProcess

beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
  folder = await mkdtemp(join(tmpdir(), 'deposit-watcher-'))
  port = await freePort()
  shop = start()
})
afterEach(async () => {
  await shop.kill()
  await devnode.close()
  await rm(folder, { recursive: true, force: true })
})

const start = (more: Readonly<Record<string, string>> = {}): ExampleProcess =>
  startExample('deposit-watcher', {
    NETWORK: 'simnet',
    NODES: devnode.urls.borsh,
    KPUB: kpub,
    DATA: join(folder, 'shop.json'),
    PORT: String(port),
    CONFIRMATIONS: '2',
    ...more,
  })

interface Order {
  readonly address: string
  readonly status: string
  readonly received: string
  readonly payments: readonly { readonly transactionId: string; readonly amount: string }[]
}

const request = async (path: string, init?: RequestInit): Promise<Order> =>
  (await (await fetch(`http://127.0.0.1:${port}/orders${path}`, init)).json()) as Order
const order = (id: string, amount: bigint, expiresAt = Date.now() + 3_600_000): Promise<Order> =>
  request('', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, amount: `${amount}n`, expiresAt }),
  })
const statusOf = async (id: string): Promise<string> => (await request(`/${id}`)).status

it('distinguishes open, underpaid, paid, overpaid, late and expired orders, and corrects them after a reorg', async () => {
  await shop.printed('Listening')
  const [under, exact, over] = [
    await order('under', 5n * KAS),
    await order('exact', 5n * KAS),
    await order('over', 5n * KAS),
  ]
  const late = await order('late', 5n * KAS, 1)
  await order('open', 5n * KAS)
  await order('expired', 5n * KAS, 1)
  expect((await order('exact', 5n * KAS)).address).toBe(exact.address)
  expect(new Set([under, exact, over, late].map(({ address }) => address)).size).toBe(4)

  await devnode.fund(under.address, 2n * KAS)
  await devnode.fund(exact.address, 2n * KAS)
  const second = await devnode.fund(exact.address, 3n * KAS)
  await devnode.fund(over.address, 7n * KAS)
  await devnode.fund(late.address, 5n * KAS)
  await devnode.mine(4)
  await expect.poll(() => statusOf('late')).toBe('late')
  const ids = ['under', 'exact', 'over', 'open', 'expired']
  const statuses = (): Promise<string[]> => Promise.all(ids.map(statusOf))
  await expect.poll(statuses).toEqual(['underpaid', 'paid', 'overpaid', 'open', 'expired'])

  await devnode.reorg({ depth: 8, drop: [second] })
  await devnode.mine(3)
  await expect.poll(() => statusOf('exact')).toBe('underpaid')
})

it('stores its position also while nothing is paid: nodes prune what is older', async () => {
  await shop.kill()
  shop = start({ STORE_INTERVAL: '0' })
  const cursor = async (): Promise<unknown> => {
    const shopState: unknown = JSON.parse(await readFile(join(folder, 'shop.json'), 'utf8'))
    return (shopState as { readonly cursor: string }).cursor
  }
  await expect.poll(cursor).toEqual(expect.any(String))
  const before = await cursor()
  await devnode.mine(5)
  await expect.poll(cursor).not.toBe(before)
})

it('loses and doubles nothing when it is killed at random instants, under faults and reorgs', async () => {
  const random = createRandom(11)
  const orders = new Map<string, string>()
  for (let kill = 0; kill < KILLS; kill++) {
    await shop.printed('Listening')
    devnode.faults.random(kill, 4, ['drop', 'delay', 'dropReply', 'duplicate', 'corrupt'])
    for (let step = 0; step < 4; step++) {
      const id = `order-${kill}-${step}`
      orders.set(id, (await order(id, KAS)).address)
      const addresses = [...orders.values()]
      await devnode.fund(addresses[Math.floor(random() * addresses.length)] ?? '', KAS)
      await devnode.mine(1 + Math.floor(random() * 3))
      if (random() < 0.3) await devnode.reorg({ depth: 1 + Math.floor(random() * 5) })
      await pause(random() * 60)
    }
    await shop.kill()
    devnode.faults.clear()
    await devnode.mine(2)
    shop = start()
  }
  await shop.printed('Listening')
  await devnode.mine(4)
  await expect.poll(receivedByAddress).toEqual(paidByAddress([...orders.values()]))

  for (const [id, address] of orders) expect((await request(`/${id}`)).address).toBe(address)

  /** What the program has stored. */
  async function receivedByAddress(): Promise<Record<string, string>> {
    const found = await Promise.all([...orders.keys()].map((id) => request(`/${id}`)))
    return Object.fromEntries(found.map(({ address, received }) => [address, received]))
  }
})

/** What the chain paid, deep enough: the newest blocks of the test hold no payments. */
function paidByAddress(addresses: readonly string[]): Record<string, string> {
  const credits = devnode.expected.transfers(addresses)
  return Object.fromEntries(
    addresses.map((address) => {
      const amounts = credits.filter((credit) => credit.address === address).map(({ amount }) => amount)
      return [address, `${amounts.reduce((sum, amount) => sum + amount, 0n)}n`]
    }),
  )
}

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/random.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { Account } from '../../src/streams/accounts/records.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { freePort, startExample, type ExampleProcess } from './example-process.js'

const KAS = 100_000_000n
const TOKEN = 'token-of-the-exchange'
const KILLS = process.env.VUE_CHAIN_FULL === '1' ? 60 : 3

let devnode: Devnode
let other: Devnode
let folder: string
let port: number
let wallet: ExampleProcess
let recipients: Account

beforeEach(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
  other = await devnode.fork()
  folder = await mkdtemp(join(tmpdir(), 'hot-wallet-'))
  port = await freePort()
  const engine = createChainEngine({ network: 'simnet' })
  recipients = await engine.accounts.fromExtendedPublicKey(vectors[1]!.kpub, { startIndex: 0 })
  await engine.dispose()
  wallet = start([devnode])
})
afterEach(async () => {
  await wallet.kill()
  await Promise.all([devnode.close(), other.close()])
  await rm(folder, { recursive: true, force: true })
})

const start = (nodes: readonly Devnode[], submitEvery = 200): ExampleProcess =>
  startExample('hot-wallet', {
    NETWORK: 'simnet',
    NODES: nodes.map(({ urls }) => urls.borsh).join(','),
    ADDRESS: devnode.accounts[0]!.address,
    PRIVATE_KEY: devnode.accounts[0]!.privateKeyHex,
    DATA: join(folder, 'wallet.json'),
    PORT: String(port),
    TOKEN,
    CONFIRMATIONS: '2',
    PAY_EVERY: '20',
    SUBMIT_EVERY: String(submitEvery),
  })

interface Withdrawal {
  readonly status: string
  readonly transactionId?: string
  readonly error?: string
}

const request = async (path: string, method = 'GET', body?: string): Promise<Withdrawal> =>
  (await (
    await fetch(`http://127.0.0.1:${port}/withdrawals${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    })
  ).json()) as Withdrawal
const withdraw = (id: number, amount = KAS, address = recipients.address(id)): Promise<Withdrawal> =>
  request('', 'POST', JSON.stringify({ id: String(id), address, amount: `${amount}n` }))
const statusOf = async (id: number): Promise<string> => (await request(`/${id}`)).status

/** How often the chain has paid the recipient of a withdrawal. */
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Mines until all withdrawals are confirmed; each is paid by one transaction. */
async function expectPaidOnce(ids: readonly number[]): Promise<void> {
  await expect
    .poll(async () => {
      await devnode.mine()
      return Promise.all(ids.map(statusOf))
    })
    .toEqual(ids.map(() => 'confirmed'))
  expect(ids.map(timesPaid)).toEqual(ids.map(() => 1))
}

it('pays in batches, and speeds up and cancels payments also after a restart on another node', async () => {
  await wallet.printed('Listening')
  await Promise.all([withdraw(1), withdraw(2)])
  await expect.poll(() => statusOf(1)).toBe('sent')
  await expect.poll(() => statusOf(2)).toBe('sent')
  const { transactionId } = await request('/1')
  await wallet.kill()

  await other.mine() // its mempool does not have the payment
  wallet = start([other])
  await wallet.printed('Listening')
  await expect.poll(() => other.expected.mempool()).toContain(transactionId)
  const faster = await request('/1/speed-up', 'POST')
  expect([faster.status, faster.transactionId === transactionId, faster.error]).toEqual(['sent', false, undefined])
  await other.mine(5)
  await expect.poll(() => statusOf(1)).toBe('confirmed')
  await devnode.sync(other)
  expect(timesPaid(1)).toBe(1)

  await withdraw(3)
  await expect.poll(() => statusOf(3)).toBe('sent')
  await wallet.kill()
  wallet = start([other])
  await wallet.printed('Listening')
  expect((await request('/3/cancel', 'POST')).error).toBeUndefined()
  await other.mine(5)
  await expect.poll(() => statusOf(3)).toBe('cancelled')
  await devnode.sync(other)
  expect(timesPaid(3)).toBe(0)
})

it('has a cursor on the disk before it takes a withdrawal, so that no later process begins after a payment', async () => {
  await wallet.printed('Listening')
  await wallet.kill()
  expect(JSON.parse(await readFile(join(folder, 'wallet.json'), 'utf8'))).toHaveProperty('cursor')
})

it('pays nothing from the inputs of a signed payment that the node has rejected', async () => {
  await wallet.kill()
  wallet = start([devnode], 3_000) // the rejected payment is submitted again after the next withdrawal
  await wallet.printed('Listening')
  devnode.faults.failCall({ method: 'submitTransaction', message: 'The mempool is full' })
  await withdraw(1)
  await expect.poll(() => statusOf(1)).toBe('sent')
  await withdraw(2)
  await expect
    .poll(async () => {
      await devnode.mine()
      return Promise.all([1, 2].map(statusOf))
    })
    .toEqual(['confirmed', 'confirmed'])
  expect([1, 2].map(timesPaid)).toEqual([1, 1])
})

it('pays nothing again through a node in its initial download, for longer than all look-ups', async () => {
  const older = devnode.snapshot()
  await wallet.printed('Listening')
  await withdraw(1, 905n * KAS) // from all UTXOs of the account
  await expectPaidOnce([1])
  await withdraw(2) // from the change of the first
  await expect.poll(() => statusOf(2)).toBe('sent')
  await wallet.kill()
  await devnode.mine(5) // the chain has accepted it

  const behind = await devnode.fork({ snapshot: older })
  try {
    await behind.sync(devnode, { headersOnly: true })
    wallet = start([behind])
    await wallet.printed('Listening')
    await withdraw(3) // this node lists the UTXOs that the first one has spent
    await wallet.printed('is an orphan where orphan is disallowed', 8)
    expect(await Promise.all([2, 3].map(statusOf))).toEqual(['sent', 'queued'])
    await behind.sync(devnode)
    await expect.poll(() => statusOf(3)).toBe('sent')
    await behind.mine(5)
    await expect.poll(() => Promise.all([1, 2, 3].map(statusOf))).toEqual(['confirmed', 'confirmed', 'confirmed'])
    await devnode.sync(behind)
    expect([1, 2, 3].map(timesPaid)).toEqual([1, 1, 1])
  } finally {
    await wallet.kill()
    await behind.close()
  }
})

it('pays nothing again while a node refuses everything for reasons of its own', async () => {
  await wallet.printed('Listening')
  const message = `Rejected transaction ${'ab'.repeat(32)}: transaction could not be added to the mempool because it's full with transactions with higher priority`
  devnode.faults.failCall({ method: 'submitTransaction', message, times: 0 })
  await withdraw(1)
  await wallet.printed('higher priority', 4)
  await wallet.kill()
  wallet = start([devnode])
  await wallet.printed('higher priority', 4)
  expect(await statusOf(1)).toBe('sent')
  devnode.faults.clear()
  await expectPaidOnce([1])
})

it('submits a speed-up to a node that lacks its target, and pays once', async () => {
  await wallet.printed('Listening')
  await withdraw(1)
  await expect.poll(() => statusOf(1)).toBe('sent')
  const faster = await request('/1/speed-up', 'POST')
  expect(faster.error).toBeUndefined()
  await wallet.kill()

  await other.mine() // its mempool has neither the payment nor the speed-up
  wallet = start([other])
  await wallet.printed('Listening')
  await expect.poll(() => other.expected.mempool()).toEqual([faster.transactionId])
  await devnode.mine(2) // the first node's branch accepts the speed-up too
  await other.mine(5)
  await expect.poll(() => statusOf(1)).toBe('confirmed')
  await devnode.sync(other)
  expect(timesPaid(1)).toBe(1)
})

it('pays many small withdrawals, and refuses those that would hold up all others', async () => {
  await wallet.printed('Listening')
  const refused = [
    await withdraw(101, KAS, recipients.address(1).replace('kaspasim:', 'kaspa:')),
    await withdraw(102, 1n),
    await withdraw(103, -KAS),
    await request('', 'POST', `{"id":"104","address":"${recipients.address(1)}","amount":"five"}`),
    await request('', 'POST', '{}'),
  ]
  expect(refused.map(({ error }) => error)).toEqual([
    'Error: address must be an address of simnet',
    'Error: amount must be "20000000n" or more',
    'Error: amount must be "20000000n" or more',
    'Error: amount must be "20000000n" or more',
    'Error: id must be a text',
  ])
  const ids = Array.from({ length: 45 }, (_, id) => id)
  await Promise.all(ids.map((id) => withdraw(id, KAS / 5n)))
  await expectPaidOnce(ids)
})

it('pays each withdrawal once when it is killed at random instants, under faults and reorgs', async () => {
  const random = createRandom(5)
  let next = 0
  for (let kill = 0; kill < KILLS; kill++) {
    await wallet.printed('Listening')
    devnode.faults.random(kill, 6, ['drop', 'delay', 'dropReply', 'duplicate'])
    for (let step = 0; step < 4; step++) {
      await withdraw(next++)
      await pause(random() * 100)
      await devnode.mine(Math.floor(random() * 3))
      if (random() < 0.3) await devnode.reorg({ depth: 1 })
    }
    await wallet.kill()
    devnode.faults.clear()
    await devnode.mine(2)
    wallet = start([devnode])
  }
  await wallet.printed('Listening')
  const ids = Array.from({ length: next }, (_, id) => id)
  await expectPaidOnce(ids)
})

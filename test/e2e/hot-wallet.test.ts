import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { FULL } from '../full.js'
import { freePort } from '../free-port.js'
import { startExample, type ExampleProcess } from './example-process.js'

const KAS = 100_000_000n
const TOKEN = 'token-of-the-exchange'
const KILLS = FULL ? 60 : 2

let cluster: PostgresCluster
let databases = 0
let devnode: Devnode
let other: Devnode
let port: number
let wallet: ExampleProcess
let recipients: Account

const start = (nodes: readonly Devnode[], submitEvery = 200): ExampleProcess =>
  startExample('hot-wallet', {
    NETWORK: 'simnet',
    NODES: nodes.map(({ urls }) => urls.borsh).join(','),
    ADDRESS: devnode.accounts[0]!.address,
    PRIVATE_KEY: devnode.accounts[0]!.privateKeyHex,
    DATABASE: `postgres://postgres@127.0.0.1:${cluster.port}/wallet_${databases}`,
    PORT: String(port),
    TOKEN,
    CONFIRMATIONS: '2',
    MAX_WAIT: '20',
    SUBMIT_EVERY: String(submitEvery),
  })

interface Withdrawal {
  readonly state: string
  readonly attempts: readonly { readonly transactionId: string; readonly kind: string; readonly outcome: string }[]
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
const stateOf = async (id: number): Promise<string> => (await request(`/${id}`)).state
/** Resolves once a withdrawal is signed and stored. */
const untilSent = (id: number) => expect.poll(() => stateOf(id)).toMatch(/signed|relayed/)
const newestOf = async (id: number) => (await request(`/${id}`)).attempts.at(-1)?.transactionId

/** How often the chain has paid the recipient of a withdrawal. */
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Mines until all withdrawals are settled; each is paid by one transaction. */
async function expectPaidOnce(ids: readonly number[]): Promise<void> {
  await pollMined(devnode, () => Promise.all(ids.map(stateOf))).toEqual(ids.map(() => 'settled'))
  expect(ids.map(timesPaid)).toEqual(ids.map(() => 1))
}

describe.skipIf(!hasPostgres)('the hot wallet (apt-get install postgresql)', () => {
  beforeAll(async () => {
    cluster = await startPostgres()
  })
  afterAll(() => cluster.stop())
  beforeEach(async () => {
    devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
    await devnode.mine(3)
    other = await devnode.fork()
    await cluster.pool().query(`create database wallet_${++databases}`)
    port = await freePort()
    const engine = createChainEngine({ network: 'simnet' })
    recipients = await engine.accounts.fromExtendedPublicKey(vectors[1]!.kpub, { startIndex: 0 })
    await engine.dispose()
    wallet = start([devnode])
  })
  afterEach(async () => {
    await wallet.kill()
    await Promise.all([devnode.close(), other.close()])
  })

  it('pays in batches, and speeds up and cancels payments also after a restart on another node', async () => {
    await wallet.printed('Listening')
    await Promise.all([withdraw(1), withdraw(2)])
    await untilSent(1)
    await untilSent(2)
    const transactionId = await newestOf(1)
    await wallet.kill()

    await other.mine() // its mempool does not have the payment
    wallet = start([other])
    await wallet.printed('Listening')
    await expect.poll(() => other.expected.mempool()).toContain(transactionId)
    expect((await request('/1/speed-up', 'POST', '{"feeRate":500}')).error).toBeUndefined()
    await expect.poll(() => newestOf(1)).not.toBe(transactionId)
    await pollMined(other, () => stateOf(1)).toBe('settled')
    await devnode.sync(other)
    expect(timesPaid(1)).toBe(1)

    await withdraw(3)
    await untilSent(3)
    await wallet.kill()
    wallet = start([other])
    await wallet.printed('Listening')
    expect((await request('/3/cancel', 'POST', '{}')).error).toBeUndefined()
    await expect
      .poll(async () => (await request('/3')).attempts.map(({ kind, outcome }) => [kind, outcome]))
      .toContainEqual(['cancel', 'relayed'])
    await pollMined(other, () => stateOf(3)).toBe('cancelled')
    await devnode.sync(other)
    expect(timesPaid(3)).toBe(0)
  })

  it('pays nothing from the inputs of a signed payment that the node has rejected', async () => {
    await wallet.kill()
    wallet = start([devnode], 3_000) // the rejected payment is submitted again after the next withdrawal
    await wallet.printed('Listening')
    devnode.faults.failCall({ method: 'submitTransaction', message: 'The mempool is full' })
    await withdraw(1)
    await untilSent(1)
    await withdraw(2)
    await pollMined(devnode, () => Promise.all([1, 2].map(stateOf))).toEqual(['settled', 'settled'])
    expect([1, 2].map(timesPaid)).toEqual([1, 1])
  })

  it('pays nothing again through a node in its initial download, for longer than all look-ups', async () => {
    const older = devnode.snapshot()
    await wallet.printed('Listening')
    await withdraw(1, 905n * KAS) // from all UTXOs of the account
    await expectPaidOnce([1])
    await withdraw(2) // from the change of the first
    await untilSent(2)
    await expect.poll(() => devnode.expected.mempool()).toContain(await newestOf(2)) // stored before it is submitted
    await wallet.kill()
    await devnode.mine(5) // the chain has accepted it

    const behind = await devnode.fork({ snapshot: older })
    onTestFinished(() => behind.close())
    await behind.sync(devnode, { headersOnly: true })
    wallet = start([behind])
    await wallet.printed('Listening')
    await withdraw(3) // this node lists the UTXOs that the first one has spent
    await wallet.printed('is an orphan where orphan is disallowed', 8)
    expect(await stateOf(3)).toMatch(/queued|waiting/)
    await behind.sync(devnode)
    await untilSent(3)
    const states = () => Promise.all([1, 2, 3].map(stateOf))
    await pollMined(behind, states).toEqual(['settled', 'settled', 'settled'])
    await devnode.sync(behind)
    expect([1, 2, 3].map(timesPaid)).toEqual([1, 1, 1])
  })

  it.runIf(FULL)('pays nothing again while a node refuses everything for reasons of its own', async () => {
    await wallet.printed('Listening')
    const message = `Rejected transaction ${'ab'.repeat(32)}: transaction could not be added to the mempool because it's full with transactions with higher priority`
    devnode.faults.failCall({ method: 'submitTransaction', message, times: 0 })
    await withdraw(1)
    await wallet.printed('higher priority', 4)
    await wallet.kill()
    wallet = start([devnode])
    await wallet.printed('higher priority', 4)
    expect(await stateOf(1)).toBe('signed')
    devnode.faults.clear()
    await expectPaidOnce([1])
  })

  it('submits a speed-up to a node that lacks its target, and pays once', async () => {
    await wallet.printed('Listening')
    await withdraw(1)
    await untilSent(1)
    const before = await newestOf(1)
    expect((await request('/1/speed-up', 'POST', '{"feeRate":500}')).error).toBeUndefined()
    await expect.poll(() => newestOf(1)).not.toBe(before)
    const faster = await newestOf(1)
    await wallet.kill()

    await other.mine() // its mempool has neither the payment nor the speed-up
    wallet = start([other])
    await wallet.printed('Listening')
    await expect.poll(() => other.expected.mempool()).toEqual([faster])
    await devnode.mine(2) // the first node's branch accepts the speed-up too
    await pollMined(other, () => stateOf(1)).toBe('settled')
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
      expect.stringContaining('The address has a wrong checksum'),
      expect.stringContaining('"amount" is below the minimum of 0.2 KAS'),
      expect.stringContaining('"amount" must be an amount above zero, in sompi, as a bigint'),
      expect.stringContaining('"amount" must be an amount above zero, in sompi, as a bigint'),
      expect.stringContaining('"id" must be a text of 1 to 255 characters'),
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
})

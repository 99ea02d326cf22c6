import { PGlite } from '@electric-sql/pglite'
import type * as Kaspa from 'kaspa-wasm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { ChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createPayments, type Payments } from '../../src/feed/payments/create-payments.js'
import type { PaymentSettings } from '../../src/feed/payments/payment.js'
import { createPgliteSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { createPayouts, type Payouts } from '../../src/payouts/create-payouts.js'
import { pgliteJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { PaymentRequestState } from '../../src/streams/requests/state.js'
import { newAccount } from '../contract/node/support/payment.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'
import { CONFIRMATIONS, createEngine, fundAccounts, KAS, mine, mineMany, timesPaid } from './payout-queue.js'

let node: Kaspad
let kaspa: typeof Kaspa
let rpc: Kaspa.RpcClient
let engine: ChainEngine
let database: PGlite
let payments: Payments
let payouts: Payouts
let customer: ReturnType<typeof newAccount>
const stopped = new AbortController()
let running: Promise<unknown>

beforeAll(async () => {
  vi.stubGlobal('WebSocket', WebSocket) // the SDK uses the global WebSocket, which Node 20 does not have
  kaspa = (await import('kaspa-wasm')).default
  node = await startKaspad()
  const takeAccount = await fundAccounts(2, node)
  customer = takeAccount()
  const hot = takeAccount()
  rpc = new kaspa.RpcClient({ url: node.url, encoding: kaspa.Encoding.Borsh, networkId: 'simnet' })
  await rpc.connect()
  engine = createEngine(node.url)
  await engine.connection.connect()
  database = await PGlite.create()
  payouts = createPayouts({
    ...{ engine, journal: pgliteJournal({ database }), addresses: [hot.address], privateKeys: [hot.privateKey] },
    ...{ minConfirmations: CONFIRMATIONS, submitInterval: 500, batch: { maxWait: 50, splitTo: 1 } },
  })
  payments = createPayments({ engine, database, payouts, mempoolInterval: 100 })
  const feed = createFeed({ engine, sink: createPgliteSink({ database }), watch: 'table', minConfirmations: 0 })
  const { signal } = stopped
  running = Promise.all([feed.run({ signal }), payments.run({ signal }), payouts.run({ signal })])
  running.catch(() => undefined) // awaited at the end
})

afterAll(async () => {
  stopped.abort()
  await running
  await engine.dispose()
  await rpc.disconnect()
  await database.close()
  await node.close()
  vi.unstubAllGlobals()
})

/** A request of 5 KAS, unless said otherwise, to an address of its own. */
const request = (id: string, more: Partial<PaymentSettings> = {}) =>
  payments.create({
    ...{ id, amount: 5n * KAS, confirmations: CONFIRMATIONS, address: newAccount(PREFIX).address },
    ...more,
  })

/** Pays by the transaction that the SDK builds, signs and submits. */
async function pay(address: string, amount: bigint): Promise<string> {
  const { entries } = await rpc.getUtxosByAddresses([customer.address])
  const { transactions } = await kaspa.createTransactions({
    entries: entries.slice(0, 3),
    outputs: [{ address, amount }],
    changeAddress: customer.address,
    priorityFee: 1_000_000n, // the default of 1 sompi a gram is below the minimum of nodes since 2.0
    networkId: 'simnet',
  })
  const [pending] = transactions
  if (pending === undefined) throw new Error('The SDK has made no transaction')
  pending.sign([customer.privateKey])
  return pending.submit(rpc)
}

const stateOf = async (id: string): Promise<PaymentRequestState | undefined> => (await payments.get(id))?.state

/** Mines until a request has a state; resolves to it. */
async function untilState(id: string, expected: Partial<PaymentRequestState>): Promise<void> {
  await expect
    .poll(async () => {
      await mine(node)
      return stateOf(id)
    })
    .toMatchObject(expected)
}

it('sees, accepts and confirms a payment of the SDK, on the server and in the page alike', async () => {
  const { address, stored } = await request('exact')
  const page = await engine.requests.create(stored)
  const statuses: string[] = []
  const following = page.state$.subscribe(({ status, freshness }) => {
    if (freshness === 'fresh' && statuses.at(-1) !== status) statuses.push(status)
  })
  await expect.poll(() => statuses).toEqual(['waiting'])
  const transactionId = await pay(address, 5n * KAS)
  await expect.poll(async () => (await stateOf('exact'))?.status).toBe('seen')
  await expect.poll(() => statuses).toEqual(['waiting', 'seen'])
  await untilState('exact', { status: 'confirmed', received: 5n * KAS, missing: 0n, excess: 0n, isLate: false })
  expect((await stateOf('exact'))?.payments).toMatchObject([{ transactionId, amount: 5n * KAS }])
  await expect.poll(() => statuses).toEqual(['waiting', 'seen', 'paid', 'confirmed'])
  following.unsubscribe()
})

it('says what is missing, and takes the second part', async () => {
  const { address } = await request('underpaid')
  await pay(address, 2n * KAS)
  await untilState('underpaid', { status: 'partly-paid', received: 2n * KAS, missing: 3n * KAS })
  await mineMany(3, node) // the change of the customer
  await pay(address, 3n * KAS)
  await untilState('underpaid', { status: 'confirmed', received: 5n * KAS, missing: 0n })
})

it('returns what was paid too much, once', async () => {
  const { address } = await request('overpaid')
  await pay(address, 7n * KAS)
  await untilState('overpaid', { status: 'confirmed', excess: 2n * KAS })
  const to = newAccount(PREFIX).address
  const settings = { to, amount: 2n * KAS, number: 1 }
  const { payoutId } = await payments.refund('overpaid', settings)
  await payments.refund('overpaid', settings)
  await expect
    .poll(async () => {
      await mine(node)
      return (await payouts.get(payoutId))?.state
    })
    .toBe('settled')
  expect(await timesPaid([to], node)).toEqual([1])
  expect(await stateOf('overpaid')).toMatchObject({ status: 'confirmed', refunded: 2n * KAS })
  await expect(payments.refund('overpaid', { to, amount: 6n * KAS })).rejects.toMatchObject({ argument: 'amount' })
})

it('takes what comes after the expiry, and says so', async () => {
  const { address } = await request('late', { expiresIn: 1 })
  await untilState('late', { status: 'expired' })
  await pay(address, 5n * KAS)
  await untilState('late', { status: 'confirmed', isLate: true, isExpired: true })
})

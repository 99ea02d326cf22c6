import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { SerializedTransaction } from '../../src/model/serialized-transaction.js'
import { light } from '../../src/light/index.js'
import { newAccount } from '../contract/node/support/payment.js'
import { applyBatch, balanceOf, NO_ROWS, type Rows } from '../engine/transfers/shop.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const KAS = 100_000_000n
/** More than the maturity of coinbase outputs. */
const HISTORY = 1_300

const [alice, bob, miner] = [newAccount(PREFIX), newAccount(PREFIX), newAccount(PREFIX)]
const watched = [alice.address, bob.address]

/** The node of the program, and another one with the same history; they know each other only while they sync. */
let node: Kaspad
let other: Kaspad
let program: ChainEngine
/** Rollbacks that the program has applied. */
let rollbacks = 0

const openEngine = (...urls: string[]): ChainEngine =>
  createChainEngine({
    network: 'simnet',
    urls,
    sdk: light,
    heartbeat: false,
    reconnect: { maxRetries: Infinity, maxDelay: 500 },
  })

beforeAll(async () => {
  node = await startKaspad()
  await node.mine(HISTORY, alice.address)
  await node.mine(5, miner.address)
  await node.stop()
  other = await startKaspad({ copyOf: node.folder })
  await node.start()
  program = openEngine(node.url)
  await program.wasm.init() // the SDK
})

afterAll(async () => {
  await program.dispose()
  await Promise.all([node.close(), other.close()])
})

/** Takes batches until the rows have what the node's index has. The newest blocks must not pay to watched addresses. */
async function catchUp(from: Rows, engine = program): Promise<Rows> {
  const batches = engine.followTransfers({ addresses: watched, cursor: from.cursor })
  let rows = from
  try {
    for await (const batch of batches) {
      rows = applyBatch(rows, batch)
      if (batch.rollback !== null) rollbacks++
      if (batch.isLive && (await isComplete(rows, engine))) return rows
    }
    return rows
  } finally {
    await batches.return?.()
  }
}

async function isComplete(rows: Rows, engine: ChainEngine): Promise<boolean> {
  const entries = await engine.rpc.getUtxosByAddresses(watched)
  return watched.every((address) => {
    const own = entries.filter((entry) => entry.address === address)
    return balanceOf(rows, address) === own.reduce((sum, { amount }) => sum + amount, 0n)
  })
}

/** Pays from alice to bob. */
async function pay(amount: bigint, store: (payment: SerializedTransaction) => void = () => undefined): Promise<string> {
  const { transactionIds } = await program.transactions.send(
    {
      entries: await program.rpc.getUtxosByAddresses([alice.address]),
      outputs: [{ address: bob.address, amount }],
      changeAddress: alice.address,
      privateKeys: [alice.privateKey],
    },
    { onSigned: (payments) => payments.forEach(store) },
  )
  return transactionIds.at(-1) ?? ''
}

/** The nodes lose each other. */
async function separate(): Promise<void> {
  await node.stop()
  await node.start()
  await program.connection.connect()
}

/** A template is cached for a second: the second one has the payment. */
async function include(): Promise<void> {
  await new Promise((wait) => setTimeout(wait, 1_100))
  await node.mine(3, miner.address)
}

const isCredited = ({ rows }: Rows, id: string): boolean => rows.has(`credit:${id}:0`) || rows.has(`credit:${id}:1`)

describe('transfers on real nodes', () => {
  let rows: Rows = NO_ROWS

  it('begin with the balance of the node', async () => {
    await program.connection.connect()
    rows = await catchUp(NO_ROWS)
    expect(balanceOf(rows, alice.address)).toBeGreaterThan(1_000n * KAS)
  })

  it.each([3, 10, 30])('are right after a reorg of %i blocks while the program was down', async (depth) => {
    await other.syncWith(node)
    await separate()
    const id = await pay(BigInt(depth) * KAS)
    await include()
    await node.mine(depth - 3 + 2, miner.address)
    rows = await catchUp(rows)
    expect(isCredited(rows, id)).toBe(true)

    await other.mine(depth + 10, miner.address) // without the payment
    await other.syncWith(node)
    await node.mine(3, miner.address)
    const before = rollbacks
    rows = await catchUp(rows)
    expect(rollbacks).toBeGreaterThan(before)
    expect(await isComplete(rows, program)).toBe(true)
  })

  it('continue on another node, and do not take one that is behind for a reorg', async () => {
    await other.syncWith(node)
    await separate()
    const id = await pay(7n * KAS)
    await include()
    await node.mine(5, miner.address)
    rows = await catchUp(rows)
    expect(isCredited(rows, id)).toBe(true)
    const elsewhere = openEngine(other.url) // lacks the newest blocks
    const before = rollbacks
    const waiting = catchUp(rows, elsewhere)
    await node.syncWith(other)
    await other.mine(3, miner.address)
    rows = await waiting
    expect(isCredited(rows, id)).toBe(true)
    expect(rollbacks).toBe(before)
    await elsewhere.dispose()
  })
})

describe('payments on real nodes', () => {
  it('are submitted once by a later process, and found where the network has them', async () => {
    const stored: SerializedTransaction[] = []
    const id = await pay(11n * KAS, (payment) => stored.push(payment))
    const later = openEngine(node.url)
    await later.connection.connect()
    const restored = await later.transactions.restore(stored[0]!)
    expect(await restored.submit()).toBe(id)
    await include()
    expect(await (await later.transactions.restore(stored[0]!)).submit()).toBe(id)
    await later.dispose()
  })

  it('are reverted by a reorg, keep their inputs, and are accepted again', async () => {
    await other.syncWith(node)
    await separate()
    const balances: bigint[] = []
    const watching = program.balances$(watched).subscribe(({ balance }) => balances.push(balance.total))
    const id = await pay(13n * KAS)
    const phases: string[] = []
    const following = program.transactionStatus$(id, { confirmations: 200 }).subscribe(({ status }) => {
      if (phases.at(-1) !== status) phases.push(status)
    })
    await include()
    await expect.poll(() => phases.at(-1)).toBe('accepted')
    await other.mine(20, miner.address)
    await other.syncWith(node)
    await expect.poll(() => phases.slice(phases.indexOf('accepted'))).toContain('mempool')
    await include()
    await expect.poll(() => phases.at(-1)).toBe('accepted')
    await expect
      .poll(async () => {
        const entries = await program.rpc.getUtxosByAddresses(watched)
        return entries.reduce((sum, { amount }) => sum + amount, 0n) - (balances.at(-1) ?? 0n)
      })
      .toBe(0n)
    following.unsubscribe()
    watching.unsubscribe()
  })
})

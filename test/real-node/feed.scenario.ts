import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { ChainError } from '../../src/errors/chain-error.js'
import { light } from '../../src/light/index.js'
import { newAccount } from '../contract/node/support/payment.js'
import { keepRunning, type Instances } from '../feed/chaos/instances.js'
import { startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { PREFIX, startKaspad, type Kaspad } from './kaspad.js'

const KAS = 100_000_000n
/** More than the maturity of coinbase outputs. */
const HISTORY = 1_300
const ROUNDS = 24

const [alice, bob, miner] = [newAccount(PREFIX), newAccount(PREFIX), newAccount(PREFIX)]
const watched = [alice.address, bob.address]
const random = createRandom(33)
const whole = (end: number): number => Math.floor(random() * end)

let node: Kaspad
/** A node with the same history, which the first one knows only while they sync. */
let other: Kaspad
let program: ChainEngine
let cluster: PostgresCluster
let instances: Instances

beforeAll(async () => {
  node = await startKaspad()
  await node.mine(HISTORY, alice.address)
  await node.mine(5, miner.address)
  await node.stop()
  other = await startKaspad({ copyOf: node.folder })
  await node.start()
  cluster = await startPostgres()
  program = createChainEngine({
    network: 'simnet',
    url: node.url,
    sdk: light,
    reconnect: { maxRetries: Infinity, baseDelay: 50, maxDelay: 500 },
  })
  await program.wasm.init()
  await program.connection.connect()
  instances = keepRunning(2, () => [
    ...['--network', 'simnet', '--confirmations', '0', '--port', '0', '--lease-timeout', '500', '--url', node.url],
    ...['--database', `postgres://postgres@127.0.0.1:${cluster.port}/postgres`],
  ])
})

afterAll(async () => {
  await instances.end()
  await program.dispose()
  await cluster.stop()
  await Promise.all([node.close(), other.close()])
})

const pause = (ms: number): Promise<void> => new Promise((wait) => setTimeout(wait, ms))

async function sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]> {
  const pool = cluster.pool(cluster.port, 1)
  try {
    return (await pool.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await pool.end()
  }
}

/** Pays from alice to bob; false where the payment was not sent, as while the node starts. */
async function pay(): Promise<boolean> {
  try {
    await program.transactions.send({
      entries: await program.rpc.getUtxosByAddresses([alice.address]),
      outputs: [{ address: bob.address, amount: BigInt(1 + whole(50)) * KAS }],
      changeAddress: alice.address,
      privateKeys: [alice.privateKey],
    })
    return true
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}

/** What can happen in a round. */
const FAULTS = {
  'an instance is killed': () => instances.running[whole(2)]?.signal('SIGKILL'),
  'both instances are killed': () => instances.running.forEach((instance) => instance.signal('SIGKILL')),
  'the database is restarted at once': () => cluster.restart(),
  'the node is killed': async () => {
    await node.kill()
    await node.start()
    await program.connection.connect()
  },
  'a longer branch of another node arrives': async () => {
    await node.mine(1 + whole(4), miner.address)
    await other.mine(8 + whole(8), miner.address)
    await other.syncWith(node)
    await node.stop() // the nodes lose each other
    await node.start()
    await program.connection.connect()
  },
  'nothing happens': () => undefined,
}

/** What differs between the tables and the node, in words. */
async function faults(): Promise<readonly string[]> {
  const entries = await program.rpc.getUtxosByAddresses(watched)
  const rows = await sql(`select b.address, b.amount::text as balance,
      (select sum(case direction when 'credit' then amount else -amount end) from vue_chain.transfer as t where t.address = b.address)::text as rows
    from vue_chain.balance as b`)
  return watched.flatMap((address) => {
    const own = entries.filter((entry) => entry.address === address)
    const due = String(own.reduce((sum, { amount }) => sum + amount, 0n))
    const row = rows.find((one) => one.address === address)
    return row?.balance === due && row.rows === due
      ? []
      : [`${address} has a balance of ${String(row?.balance)}, rows of ${String(row?.rows)}, UTXOs of ${due}`]
  })
}

it('stores every transfer once while instances, database and node are killed and reorgs happen', async () => {
  await expect
    .poll(() => sql("select to_regclass('vue_chain.watched_address')::text as t"))
    .toEqual([{ t: expect.any(String) }])
  await sql("insert into vue_chain.watched_address (network, address) select 'simnet', unnest($1::text[])", [watched])
  const counts = new Map<string, number>()
  let paid = 0
  for (let round = 0; round < ROUNDS; round++) {
    const names = Object.keys(FAULTS) as (keyof typeof FAULTS)[]
    const name = names[round % names.length]!
    if (await pay()) paid++
    if (round % 2 === 0) await node.mine(1 + whole(3), miner.address)
    await FAULTS[name]()
    counts.set(name, (counts.get(name) ?? 0) + 1)
    await pause(1_100) // a template is cached for a second: the next one has the payment
    await node.mine(1 + whole(3), miner.address)
  }
  await node.mine(3, miner.address)
  await expect.poll(faults, { timeout: 120_000, interval: 500 }).toEqual([])
  const [row] = await sql('select count(*)::int as count from vue_chain.transfer')
  console.log(`${paid} payments, ${String(row?.count)} rows; ${JSON.stringify([...counts])}`)
  expect(paid).toBeGreaterThan(ROUNDS / 2)
  expect(instances.failures).toEqual([])
})

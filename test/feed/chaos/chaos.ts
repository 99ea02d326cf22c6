import { createChainEngine } from '../../../src/engine/engine.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { startFeed } from '../support/feed-process.js'
import { startPostgres } from '../support/postgres-cluster.js'
import { createProxy } from '../support/proxy.js'
import { faultsOf, type Sql } from '../support/tables.js'
import { FAULTS, type Victims } from './faults.js'

const KAS = 100_000_000n
const BALANCE = 1_000n * KAS
const INSTANCES = 3
/** What an instance may end with by itself: it was taken over. */
const EXPECTED_EXIT = 'Another instance has delivered in the meantime'

export interface ChaosResult {
  /** How often each fault was caused. */
  readonly counts: Readonly<Record<string, number>>
  /** What differs between the tables and the node at the end. */
  readonly differences: readonly string[]
  /** Instances that ended by themselves for another reason than a take-over. */
  readonly failures: readonly string[]
  readonly rows: number
}

/** Causes faults while several instances deliver, then lets all settle and compares the tables with the node. */
export async function runChaos({
  faults,
  seed,
}: {
  readonly faults: number
  readonly seed: number
}): Promise<ChaosResult> {
  const random = createRandom(seed)
  const cluster = await startPostgres()
  const devnode = await createDevnode({ blockInterval: 0, accounts: 4, balance: BALANCE, seed })
  const [toDatabase, toNode] = await Promise.all([createProxy(cluster.port), createProxy(portOf(devnode))])
  const pool = cluster.pool()
  const sql: Sql = async (text, values) => (await pool.query<Record<string, unknown>>(text, values)).rows
  const [fixed = '', ...changing] = devnode.accounts.map(({ address }) => address)
  const failures: string[] = []
  const counts: Record<string, number> = {}
  let isEnding = false
  const args = [
    ['--network', 'simnet', '--confirmations', '0', '--port', '0', '--lease-timeout', '500'],
    ['--url', `ws://127.0.0.1:${toNode.port}`],
    ['--database', `postgres://postgres@127.0.0.1:${toDatabase.port}/postgres`],
  ].flat()
  const instances = Array.from({ length: INSTANCES }, () => startFeed(args))
  const keepRunning = (index: number): void => {
    const instance = instances[index]!
    void instance.exited.then((code) => {
      if (isEnding) return
      if (code !== null && !instance.output().includes(EXPECTED_EXIT)) failures.push(`${code}: ${instance.output()}`)
      instances[index] = startFeed(args)
      keepRunning(index)
    })
  }
  instances.forEach((_, index) => keepRunning(index))
  const payer = await createPayer(devnode)
  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)) // the instances need time to fail in
  const victims: Victims = { devnode, cluster, toDatabase, toNode, instances, sql, changing, random, pause }
  try {
    await until(async () => (await sql("select to_regclass('vue_chain.watched_address')::text as t"))[0]?.t !== null)
    await sql("insert into vue_chain.watched_address (network, address) values ('simnet', $1)", [fixed])
    const deck = Object.entries(FAULTS).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))
    for (let count = 0; count < faults; count++) {
      await devnode.fund(devnode.accounts[random(4)]!.address, BigInt(1 + random(9)) * KAS)
      await payer.pay(random)
      await devnode.mine(1 + random(3))
      const name = deck[random(deck.length)]!
      counts[name] = (counts[name] ?? 0) + 1
      await FAULTS[name]!.run(victims)
      await pause(random(60))
    }
    for (const instance of instances) instance.signal('SIGCONT')
    toDatabase.cut() // frozen connections end
    const differences = await settle(devnode, sql)
    const [row] = await sql('select count(*)::int as n from vue_chain.transfer')
    return { counts, differences, failures, rows: Number(row?.n) }
  } finally {
    isEnding = true
    for (const instance of instances) instance.signal('SIGKILL')
    await Promise.all(instances.map(({ exited }) => exited))
    await payer.close()
    await Promise.all([toDatabase.close(), toNode.close()])
    await devnode.close()
    await cluster.stop()
  }
}

/** Mines until every watched address counts and the tables equal the node, or for two minutes. */
async function settle(devnode: Devnode, sql: Sql): Promise<readonly string[]> {
  let differences: readonly string[] = ['nothing was compared']
  const isEqual = async (): Promise<boolean> => {
    await devnode.mine()
    const watched = await sql(
      'select address, opened_blue_score is null as pending, error from vue_chain.watched_address',
    )
    const refused = watched.filter(({ error }) => error !== null).map(({ address }) => String(address))
    await sql('delete from vue_chain.watched_address where error is not null') // inserted since a block that a reorg has removed
    if (refused.length > 0 || watched.some(({ pending }) => pending === true)) return false
    const addresses = watched.map(({ address }) => ({ address: String(address), genesis: BALANCE }))
    differences = await faultsOf(sql, devnode, addresses, 'vue_chain')
    return differences.length === 0
  }
  await until(isEqual, 120_000).catch(() => undefined) // the differences say it
  return differences
}

/** Repeats a check until it holds. */
async function until(check: () => Promise<boolean>, limit = 60_000): Promise<void> {
  const end = performance.now() + limit
  for (;;) {
    if (await check().catch(() => false)) return // the database may be starting
    if (performance.now() > end) throw new Error('The state was not reached')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Pays from the first account to another one, so that there are debits, and change. */
async function createPayer(devnode: Devnode) {
  const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh, reconnect: { maxRetries: Infinity } })
  await engine.connection.connect()
  await engine.wasm.init()
  return {
    async pay(random: (below: number) => number): Promise<void> {
      const [from, to] = [devnode.accounts[random(2)]!, devnode.accounts[2 + random(2)]!]
      try {
        const entries = await engine.rpc.getUtxosByAddresses([from.address])
        await engine.transactions.send({
          entries: entries.slice(0, 1 + random(3)),
          outputs: [{ address: to.address, amount: KAS }],
          changeAddress: from.address,
          privateKeys: [from.privateKeyHex],
        })
      } catch (error) {
        if (!(error instanceof ChainError)) throw error // a spent UTXO, or a node that is restarting
      }
    },
    close: () => engine.dispose(),
  }
}

const portOf = (devnode: Devnode): number => Number(new URL(devnode.urls.borsh).port)

/** Numbers from 0 up to, not including, `below`: the same for the same seed (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

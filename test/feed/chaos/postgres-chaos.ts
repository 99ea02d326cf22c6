import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { startPostgres } from '../support/postgres-cluster.js'
import { createProxy } from '../support/proxy.js'
import { faultsOf, type Sql } from '../support/tables.js'
import { causeFaults, pause } from './cause-faults.js'
import { keepRunning } from './instances.js'
import { createPayer } from './payer.js'
import { POSTGRES_FAULTS, type PostgresVictims } from './postgres-faults.js'
import { createRandom } from './random.js'
import type { ChaosResult } from './result.js'
import { until } from './until.js'

const BALANCE = 100_000_000_000n
const INSTANCES = 3

/**
 * Causes faults while several instances deliver into PostgreSQL, then lets all settle and compares the tables with the
 * node.
 */
export async function runPostgresChaos({
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
  const args = [
    ['--network', 'simnet', '--confirmations', '0', '--port', '0', '--lease-timeout', '500'],
    ['--url', `ws://127.0.0.1:${toNode.port}`],
    ['--database', `postgres://postgres@127.0.0.1:${toDatabase.port}/postgres`],
  ].flat()
  const instances = keepRunning(INSTANCES, () => args)
  const payer = await createPayer(devnode)
  const parts = { devnode, cluster, toDatabase, toNode, sql, changing, random, pause }
  const victims: PostgresVictims = { ...parts, instances: instances.running }
  try {
    await until(async () => (await sql("select to_regclass('vue_chain.watched_address')::text as t"))[0]?.t !== null)
    await sql("insert into vue_chain.watched_address (network, address) values ('simnet', $1)", [fixed])
    const counts = await causeFaults(POSTGRES_FAULTS, victims, payer, faults)
    toDatabase.cut() // frozen connections end
    const differences = await settle(devnode, sql)
    const [row] = await sql('select count(*)::int as n from vue_chain.transfer')
    return { counts, differences, failures: instances.failures, rows: Number(row?.n) }
  } finally {
    await instances.end()
    await payer.close()
    await Promise.all([toDatabase.close(), toNode.close()])
    await devnode.close()
    await cluster.stop()
  }
}

/** Mines until every watched address counts and the tables equal the node. */
async function settle(devnode: Devnode, sql: Sql): Promise<readonly string[]> {
  let differences: readonly string[] = ['nothing was compared']
  const isEqual = async (): Promise<boolean> => {
    await devnode.mine()
    const watched = await sql(
      'select address, opened_blue_score is null as pending, error from vue_chain.watched_address',
    )
    const refused = watched.filter(({ error }) => error !== null).map(({ address }) => String(address))
    // inserted since a block that a reorg has removed
    await sql('delete from vue_chain.watched_address where error is not null')
    if (refused.length > 0 || watched.some(({ pending }) => pending === true)) return false
    const addresses = watched.map(({ address }) => ({ address: String(address), genesis: BALANCE }))
    differences = await faultsOf(sql, devnode, addresses, 'vue_chain')
    return differences.length === 0
  }
  await until(isEqual).catch(() => undefined) // the differences say it
  return differences
}

const portOf = (devnode: Devnode): number => Number(new URL(devnode.urls.borsh).port)

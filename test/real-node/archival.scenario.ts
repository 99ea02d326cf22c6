import { afterEach, expect, it } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createPostgresSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { newAccount } from '../contract/node/support/payment.js'
import { startPostgres } from '../feed/support/postgres-cluster.js'
import { PREFIX, startKaspad } from './kaspad.js'

const BEFORE = 40
const AFTER = 60

const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

it('begins a feed at an old block of an archival node, with what the address had before as opening credits', async () => {
  const [{ address }, miner] = [newAccount(PREFIX), newAccount(PREFIX)]
  const node = await startKaspad({ args: ['--archival'] })
  ends.push(() => node.close())
  const cluster = await startPostgres()
  ends.push(() => cluster.stop())
  const engine = createChainEngine({ network: 'simnet', url: node.url })
  ends.push(() => engine.dispose())
  await node.mine(BEFORE, address)
  const from = await node.sink()
  await node.mine(AFTER, address)
  await node.mine(3, miner.address) // the UTXO index is ahead of the chain by the transactions of the sink
  await engine.connection.connect()
  const stopped = new AbortController()
  const pool = cluster.pool()
  const sink = createPostgresSink({ pool })
  const done = createFeed({ engine, watch: [address], from, minConfirmations: 0, sink }).run(stopped)
  ends.push(() => {
    stopped.abort()
    return done
  })
  const read = async () => {
    const { rows } = await pool.query<{ balance: string; opening: number; later: number }>(
      `select (select amount::text from vue_chain.balance) as balance,
        count(*) filter (where is_opening)::int as opening, count(*) filter (where not is_opening)::int as later
        from vue_chain.transfer`,
    )
    return rows[0]
  }
  const balance = async (): Promise<string> =>
    String((await node.client().call('getBalanceByAddress', { address })).balance)
  await expect
    .poll(() =>
      read().then(
        (row) => row?.balance,
        () => undefined,
      ),
    )
    .toBe(await balance())
  // a block is paid for by the coinbase of the next one, which the block after that accepts
  expect(await read()).toMatchObject({ opening: BEFORE - 2, later: AFTER + 2 })
})

import type pg from 'pg'
import { createPostgresSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { MARK } from '../../src/feed/postgres/schema.js'
import { encodeCursor } from '../../src/model/chain-cursor/encode-cursor.js'
import { locatorAt } from '../../src/model/chain-cursor/locator.js'
import type { ChainNetwork } from '../../src/model/network.js'
import { chainHash } from '../wire/chain-blocks.js'

const CHUNK = 100_000

/** Writes addresses that count from a blue score on, as a feed does: the triggers begin the rows of programs. */
export async function writeWatched(
  pool: pg.Pool,
  schema: string,
  { network, addresses, blueScore }: WatchedRows,
): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`set ${MARK} = 'on'`)
    for (let from = 0; from < addresses.length; from += CHUNK)
      await client.query(
        `insert into ${schema}.watched_address (network, address, opened_blue_score)
          select $1, address, $2::bigint from unnest($3::text[]) as r (address)`,
        [network, blueScore, addresses.slice(from, from + CHUNK)],
      )
    await client.query(`reset ${MARK}`)
  } finally {
    client.release()
  }
}

interface WatchedRows {
  readonly network: ChainNetwork
  readonly addresses: readonly string[]
  readonly blueScore: number
}

/**
 * Creates the tables of a feed, with its position at a block of a synthetic chain and addresses that count already: the
 * synthetic node has no UTXO index.
 */
export async function prepareFeed(
  pool: pg.Pool,
  { network, addresses, blueScore, openedAt = blueScore }: PreparedFeed,
): Promise<void> {
  const { signal } = new AbortController()
  await (await createPostgresSink({ pool }).open({ network, watch: 'table', signal })).close() // creates the tables
  await writeCursor(pool, network, blueScore)
  await writeWatched(pool, 'vue_chain', { network, addresses, blueScore: openedAt })
}

interface PreparedFeed extends WatchedRows {
  /** The blue score from which on the addresses count. @default blueScore */
  readonly openedAt?: number
}

async function writeCursor(pool: pg.Pool, network: ChainNetwork, at: number): Promise<void> {
  const tip = { hash: chainHash(at), blueScore: BigInt(at), blueWork: at.toString(16).padStart(48, '0') }
  await pool.query('insert into vue_chain.cursor (network, value, blue_score, is_live) values ($1, $2, $3, true)', [
    network,
    encodeCursor(locatorAt(tip), network),
    at,
  ])
}

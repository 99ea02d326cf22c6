import type { PostgresCluster } from '../support/postgres-cluster.js'
import type { Proxy } from '../support/proxy.js'
import type { Sql } from '../support/tables.js'
import { COMMON_FAULTS, type CommonVictims, type Faults } from './common-faults.js'

/** What can fail with PostgreSQL. */
export interface PostgresVictims extends CommonVictims {
  readonly cluster: PostgresCluster
  readonly toDatabase: Proxy
  readonly sql: Sql
  /** Addresses that are watched and unwatched. */
  readonly changing: readonly string[]
}

export const POSTGRES_FAULTS: Faults<PostgresVictims> = {
  ...COMMON_FAULTS,
  'database connections cut': { weight: 6, run: async ({ toDatabase }) => toDatabase.cut() },
  'database cut off': { weight: 2, run: async ({ toDatabase }) => toDatabase.freeze() },
  'database killed': { weight: 1, run: ({ cluster }) => cluster.restart() },
  'address inserted': {
    weight: 4,
    async run({ sql, changing, random, devnode }) {
      const chain = devnode.expected.chain()
      const since = random(2) === 0 ? null : (chain[random(chain.length)] ?? null)
      const address = changing[random(changing.length)]
      await sql(
        `insert into vue_chain.watched_address (network, address, since) values ('simnet', $1, $2)
          on conflict do nothing`,
        [address, since],
      )
    },
  },
  'address deleted': {
    weight: 2,
    async run({ sql, changing, random }) {
      await sql('delete from vue_chain.watched_address where address = $1', [changing[random(changing.length)]])
    },
  },
}

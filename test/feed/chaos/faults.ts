import type { Devnode } from '../../../src/devnode/index.js'
import type { FeedProcess } from '../support/feed-process.js'
import type { PostgresCluster } from '../support/postgres-cluster.js'
import type { Proxy } from '../support/proxy.js'
import type { Sql } from '../support/tables.js'

/** Everything that can fail. */
export interface Victims {
  readonly devnode: Devnode
  readonly cluster: PostgresCluster
  readonly toDatabase: Proxy
  readonly toNode: Proxy
  readonly instances: FeedProcess[]
  readonly sql: Sql
  /** Addresses that are watched and unwatched. */
  readonly changing: readonly string[]
  /** A number from 0 up to, not including, `below`. */
  random(below: number): number
  pause(ms: number): Promise<void>
}

type Fault = (victims: Victims) => Promise<void>

/** Longer than the lease of a silent instance. */
const FROZEN = 700

/** Each fault with its weight. */
export const FAULTS: Readonly<Record<string, { readonly weight: number; readonly run: Fault }>> = {
  kill: { weight: 4, run: async (victims) => pick(victims).signal('SIGKILL') },
  freeze: {
    weight: 2,
    async run(victims) {
      const instance = pick(victims)
      instance.signal('SIGSTOP')
      await victims.pause(victims.random(FROZEN))
      instance.signal('SIGCONT')
    },
  },
  'clock jump': { weight: 4, run: async (victims) => pick(victims).signal('SIGUSR2') },
  'database connections cut': { weight: 6, run: async ({ toDatabase }) => toDatabase.cut() },
  'database cut off': { weight: 2, run: async ({ toDatabase }) => toDatabase.freeze() },
  'database killed': { weight: 1, run: ({ cluster }) => cluster.restart() },
  'node connections cut': { weight: 6, run: async ({ toNode }) => toNode.cut() },
  'node restarted': { weight: 2, run: ({ devnode }) => devnode.restart() },
  reorg: {
    weight: 6,
    async run({ devnode, random }) {
      const depth = 1 + random(random(4) === 0 ? 50 : 5)
      await devnode.reorg({ depth: Math.min(depth, devnode.expected.chain().length - 1) })
    },
  },
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

const pick = ({ instances, random }: Victims): FeedProcess => instances[random(instances.length)]!

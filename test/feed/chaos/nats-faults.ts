import type { Devnode } from '../../../src/devnode/index.js'
import type { FeedProcess } from '../support/feed-process.js'
import type { NatsServer } from '../support/nats-server.js'
import type { Proxy } from '../support/proxy.js'
import type { Reader } from './reader.js'

/** Everything that can fail. */
export interface NatsVictims {
  readonly devnode: Devnode
  readonly server: NatsServer
  readonly toServer: Proxy
  readonly readerToServer: Proxy
  readonly toNode: Proxy
  readonly instances: FeedProcess[]
  readonly reader: Reader
  readonly all: readonly string[]
  /** The addresses that instances watch which start from now on. */
  watch(addresses: readonly string[]): void
  /** A number from 0 up to, not including, `below`. */
  random(below: number): number
  pause(ms: number): Promise<void>
}

type Fault = (victims: NatsVictims) => Promise<void>

/** Longer than the lease of a silent instance. */
const FROZEN = 700

/** Each fault with its weight. */
export const NATS_FAULTS: Readonly<Record<string, { readonly weight: number; readonly run: Fault }>> = {
  kill: { weight: 4, run: async (victims) => pick(victims).signal('SIGKILL') },
  freeze: {
    weight: 3,
    async run(victims) {
      const instance = pick(victims)
      instance.signal('SIGSTOP')
      await victims.pause(victims.random(FROZEN))
      instance.signal('SIGCONT')
    },
  },
  'clock jump': { weight: 3, run: async (victims) => pick(victims).signal('SIGUSR2') },
  'connections cut': { weight: 6, run: async ({ toServer }) => toServer.cut() },
  'server cut off': { weight: 1, run: async ({ toServer }) => toServer.freeze() },
  'server killed': { weight: 2, run: ({ server }) => server.restart() },
  'consumer connections cut': { weight: 4, run: async ({ readerToServer }) => readerToServer.cut() },
  'consumer restarted': { weight: 3, run: ({ reader }) => reader.restart() },
  'node connections cut': { weight: 5, run: async ({ toNode }) => toNode.cut() },
  'node restarted': { weight: 2, run: ({ devnode }) => devnode.restart() },
  reorg: {
    weight: 6,
    async run({ devnode, random }) {
      const depth = 1 + random(random(4) === 0 ? 50 : 5)
      await devnode.reorg({ depth: Math.min(depth, devnode.expected.chain().length - 1) })
    },
  },
  'addresses changed': {
    weight: 2,
    async run({ all, watch, random, instances }) {
      watch(all.slice(random(3), 4))
      for (const instance of instances) instance.signal('SIGKILL') // the set is read at the start
    },
  },
}

const pick = ({ instances, random }: NatsVictims): FeedProcess => instances[random(instances.length)]!

import type { Devnode } from '../../../src/devnode/index.js'
import type { FeedProcess } from '../support/feed-process.js'
import type { Proxy } from '../support/proxy.js'

/** What can fail with every sink. */
export interface CommonVictims {
  readonly devnode: Devnode
  readonly toNode: Proxy
  readonly instances: FeedProcess[]
  /** A number from 0 up to, not including, `below`. */
  random(below: number): number
  pause(ms: number): Promise<void>
}

/** Faults by name, each with its weight. */
export type Faults<Victims> = Readonly<
  Record<string, { readonly weight: number; readonly run: (victims: Victims) => Promise<void> }>
>

/** Longer than the lease of a silent instance. */
const FROZEN = 700

/** Faults of the instances, their clocks, the node and its chain. */
export const COMMON_FAULTS: Faults<CommonVictims> = {
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
  'clock jump': { weight: 4, run: async (victims) => pick(victims).signal('SIGUSR2') },
  'node connections cut': { weight: 6, run: async ({ toNode }) => toNode.cut() },
  'node restarted': { weight: 2, run: ({ devnode }) => devnode.restart() },
  reorg: {
    weight: 6,
    async run({ devnode, random }) {
      const depth = 1 + random(random(4) === 0 ? 50 : 5)
      await devnode.reorg({ depth: Math.min(depth, devnode.expected.chain().length - 1) })
    },
  },
}

const pick = ({ instances, random }: CommonVictims): FeedProcess => instances[random(instances.length)]!

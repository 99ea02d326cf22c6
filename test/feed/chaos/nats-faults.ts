import type { NatsServer } from '../support/nats-server.js'
import type { Proxy } from '../support/proxy.js'
import { COMMON_FAULTS, type CommonVictims, type Faults } from './common-faults.js'
import type { Reader } from './reader.js'

/** What can fail with JetStream. */
export interface NatsVictims extends CommonVictims {
  readonly server: NatsServer
  readonly toServer: Proxy
  readonly readerToServer: Proxy
  readonly reader: Reader
  readonly all: readonly string[]
  /** The addresses that instances watch which start from now on. */
  watch(addresses: readonly string[]): void
}

export const NATS_FAULTS: Faults<NatsVictims> = {
  ...COMMON_FAULTS,
  'connections cut': { weight: 6, run: async ({ toServer }) => toServer.cut() },
  'server cut off': { weight: 1, run: async ({ toServer }) => toServer.freeze() },
  'server killed': { weight: 2, run: ({ server }) => server.restart() },
  'consumer connections cut': { weight: 4, run: async ({ readerToServer }) => readerToServer.cut() },
  'consumer restarted': { weight: 3, run: ({ reader }) => reader.restart() },
  'addresses changed': {
    weight: 2,
    async run({ all, watch, random, instances }) {
      watch(all.slice(random(3), 4))
      for (const instance of instances) instance.signal('SIGKILL') // the set is read at the start
    },
  },
}

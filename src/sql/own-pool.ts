import type pg from 'pg'
import { loadCode, onceLoaded } from '../loading/load-code.js'
import type { PostgresPool } from './pool-database.js'

/** A pool that is opened by the first connection. */
export interface OwnPool extends PostgresPool {
  /** Resolves once its connections are closed. */
  readonly close: () => Promise<void>
}

/** Connections: the lease has one, callers share the others. */
const MAX = 10

/** A pool of a URL. `leaseTimeout`: how long a silent instance keeps its lease, in ms. */
export function createOwnPool(url: string, leaseTimeout: number): OwnPool {
  let opened: (() => Promise<pg.Pool>) | undefined
  const open = async (): Promise<pg.Pool> => {
    const { openPool } = await loadCode(() => import('./open-pool.js'))
    return openPool({ url, max: MAX, leaseTimeout, onIdleError: () => undefined })
  }
  return {
    connect: async () => (await (opened ??= onceLoaded(open))()).connect(),
    async close() {
      const closing = opened
      opened = undefined
      await (await closing?.())?.end()
    },
  }
}

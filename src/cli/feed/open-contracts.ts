import { createContracts } from '../../contracts/create-contracts.js'
import {
  createContractFeed,
  type ContractFeed,
  type ContractFeedOptions,
} from '../../feed/contracts/create-contract-feed.js'
import type { ChainLogger } from '../../platform/port.js'
import { createLockedPglite } from '../../sql/locked-pglite.js'
import { openPool } from '../../sql/open-pool.js'
import { POSTGRES } from '../flag-values.js'
import type { Delivery } from './delivery.js'
import type { FeedFlags } from './flags.js'
import { connectNats } from './open-nats.js'
import { readContracts } from './read-contracts.js'

/**
 * Delivers outputs of the contracts of a file, into what flags name as for transfers. Rejects with `ChainError`:
 * `invalid-option`, `package-missing`, and where a folder or NATS cannot be opened.
 */
export async function openContracts(file: string, flags: FeedFlags, logger: ChainLogger): Promise<Delivery> {
  const instances = await readContracts(file)
  const { target, leaseTimeout, close } = await openTarget(flags, logger)
  const { schema, from, confirmations: minConfirmations } = flags
  const place = target.database === undefined ? target : { ...target, schema }
  return {
    createFeed: (engine) => {
      const contracts = createContracts({ engine })
      const feed = createContractFeed({ engine, contracts, instances, from, minConfirmations, ...place })
      return { status$: feed.status$, run: ({ signal } = {}) => runUntil(feed, signal) }
    },
    leaseTimeout,
    close,
  }
}

/** As a feed of transfers runs: resolves once the signal aborts. */
async function runUntil(feed: ContractFeed, signal = new AbortController().signal): Promise<void> {
  try {
    await feed.run({ signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

interface Target {
  readonly target: Pick<ContractFeedOptions, 'database' | 'stream' | 'leaseTimeout' | 'statementTimeout'>
  readonly leaseTimeout: number | null
  readonly close: () => Promise<void>
}

async function openTarget(flags: FeedFlags, logger: ChainLogger): Promise<Target> {
  const { nats, database, leaseTimeout, statementTimeout, replicas } = flags
  if (nats.length > 0) {
    const connection = await (await connectNats(flags))()
    const stream = { connection, leaseTimeout, timeout: statementTimeout, replicas }
    return { target: { stream }, leaseTimeout, close: () => connection.close() }
  }
  if (!POSTGRES.test(database)) {
    const locked = createLockedPglite(database)
    return { target: { database: await locked.open() }, leaseTimeout: null, close: () => locked.close() }
  }
  const onIdleError = (error: Error): void => logger.warn('An idle connection has ended', { error })
  const pool = await openPool({ url: database, max: 2, leaseTimeout, onIdleError })
  return { target: { database: pool, leaseTimeout, statementTimeout }, leaseTimeout, close: () => pool.end() }
}

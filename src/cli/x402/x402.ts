import { createLockedPglite } from '../../sql/locked-pglite.js'
import { openPool } from '../../sql/open-pool.js'
import type { ChainLogger } from '../../platform/port.js'
import { createKaspaFacilitator } from '../../x402/server/facilitator.js'
import { createPgliteX402Store, createPostgresX402Store } from '../../x402/stores/postgres-store.js'
import type { X402Store } from '../../x402/stores/store.js'
import { openEngine } from '../feed/feed.js'
import { onceAMinute } from '../feed/once-a-minute.js'
import { POSTGRES } from '../flag-values.js'
import { runService } from '../run-service.js'
import type { RunSubcommand } from '../subcommands.js'
import { serveFacilitator } from './facilitator-server.js'
import { formatHelp, readFlags, type FacilitatorFlags } from './flags.js'

/** Runs `vue-chain x402 facilitator`. */
export const runX402: RunSubcommand = (args, context) =>
  runService({ name: 'x402 facilitator', readFlags, formatHelp, run: serve }, args, context)

const LEASE_TIMEOUT = 10_000

async function serve(interrupted: () => Promise<void>, flags: FacilitatorFlags, logger: ChainLogger): Promise<void> {
  const { store, close } = await openStore(flags, logger)
  const engine = openEngine(flags, logger)
  const { finality, settleTimeout, mainnet } = flags
  try {
    const x402 = createKaspaFacilitator({
      engine,
      store,
      finality,
      settleTimeout,
      mainnet,
      logger: onceAMinute(logger),
    })
    try {
      const server = await serveFacilitator({ ...flags, x402, logger })
      logger.info('Serving /supported, /verify and /settle', { url: server.url })
      await interrupted()
      await server.close()
    } finally {
      await x402.close()
    }
  } finally {
    await engine.dispose()
    await close()
  }
}

/** PostgreSQL for a URL, PGlite for a folder. Rejects with `ChainError` (`package-missing`, `failed`). */
async function openStore(
  { database, schema }: FacilitatorFlags,
  logger: ChainLogger,
): Promise<{ readonly store: X402Store; readonly close: () => Promise<void> }> {
  if (!POSTGRES.test(database)) {
    const locked = createLockedPglite(database)
    return { store: createPgliteX402Store({ database: await locked.open(), schema }), close: () => locked.close() }
  }
  const onIdleError = (error: Error): void => logger.warn('An idle connection has ended', { error })
  const pool = await openPool({ url: database, max: 10, leaseTimeout: LEASE_TIMEOUT, onIdleError })
  return { store: createPostgresX402Store({ pool, schema, leaseTimeout: LEASE_TIMEOUT }), close: () => pool.end() }
}

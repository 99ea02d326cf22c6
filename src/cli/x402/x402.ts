import { createLockedPglite } from '../../sql/locked-pglite.js'
import { openPool } from '../../sql/open-pool.js'
import type { ChainLogger } from '../../platform/port.js'
import { createKaspaFacilitator } from '../../x402/server/facilitator.js'
import { createPgliteX402Store, createPostgresX402Store } from '../../x402/stores/sql-store.js'
import type { X402Store } from '../../x402/stores/store.js'
import { openEngine } from '../feed/feed.js'
import { onceAMinute, runService } from '../run-service.js'
import {
  POSTGRES,
  toBoolean,
  toDatabase,
  toNumber,
  databaseFlag,
  formatFlags,
  HOST_FLAG,
  NETWORK_FLAGS,
  readTexts,
  toNetwork,
  type NetworkPlace,
} from '../service-flags.js'
import type { RunSubcommand } from '../run-cli.js'
import { serveFacilitator } from './facilitator-server.js'
import { ChainError } from '../../errors/chain-error.js'

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

/** Each flag with its environment variable, its default and its help text. */
const FLAGS = {
  ...NETWORK_FLAGS,
  network: { ...NETWORK_FLAGS.network, value: 'testnet-10', about: 'the network of the payments' },
  mainnet: { env: 'VUE_CHAIN_X402_MAINNET', value: '', about: 'accept mainnet, although the binding is a draft: true' },
  database: databaseFlag('./vue-chain-x402'),
  schema: { env: 'VUE_CHAIN_SCHEMA', value: 'x402', about: 'the schema of the tables' },
  token: { env: 'VUE_CHAIN_TOKEN', value: '', about: 'what callers send as bearer token, 16 or more. Required' },
  finality: { env: 'VUE_CHAIN_FINALITY', value: '10', about: 'how deep a payment must be, in blue score' },
  'settle-timeout': { env: 'VUE_CHAIN_SETTLE_TIMEOUT', value: '20000', about: 'how long /settle waits, in ms' },
  port: { env: 'VUE_CHAIN_PORT', value: '8402', about: 'of /supported, /verify, /settle, /healthz and /metrics' },
  host: HOST_FLAG,
} as const

/** The parsed command line. */
interface FacilitatorFlags extends NetworkPlace {
  readonly mainnet: boolean
  readonly database: string
  readonly schema: string
  readonly token: string
  readonly finality: number
  readonly settleTimeout: number
  readonly port: number
  readonly host: string
}

/** Characters of a token, at least: it cannot be guessed then. */
const SHORTEST_TOKEN = 16

/**
 * Reads flags, then environment variables, then defaults; null for `--help`. The first argument is `facilitator`.
 * Throws `ChainError` (`invalid-option`), which does not repeat the token.
 */
function readFlags(
  [name, ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): FacilitatorFlags | null {
  if (name === undefined || name === '--help' || name === '-h') return null
  if (name !== 'facilitator')
    throw new ChainError('The subcommand of x402 is "facilitator"', { code: 'invalid-option', hint: 'See --help.' })
  const text = readTexts(args, env, FLAGS)
  if (text === null) return null
  const token = text('token')
  if (token.length < SHORTEST_TOKEN)
    throw new ChainError(`--token or ${FLAGS.token.env} is missing or too short`, {
      code: 'invalid-option',
      argument: 'token',
      hint: `At least ${SHORTEST_TOKEN} random characters, such as those of openssl rand -hex 16.`,
    })
  return {
    ...toNetwork(text),
    mainnet: toBoolean('mainnet', text('mainnet')),
    database: toDatabase(text('database')),
    schema: text('schema'),
    token,
    finality: toNumber('finality', text('finality')),
    settleTimeout: toNumber('settle-timeout', text('settle-timeout')),
    port: toNumber('port', text('port')),
    host: text('host'),
  }
}

const formatHelp = (): string =>
  formatFlags('vue-chain x402 facilitator: settles payments in KAS (draft). It holds no key.', FLAGS)

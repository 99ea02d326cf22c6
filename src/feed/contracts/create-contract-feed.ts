import type { Observable } from 'rxjs'
import { partsOf } from '../../engine/core-parts.js'
import type { ChainEngine } from '../../engine/engine.js'
import { guarded } from '../../engine/resolve-options.js'
import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import type { Contract } from '../../model/contracts/contract.js'
import type { ChainNetwork } from '../../model/network.js'
import { monotonicScheduler } from '../../platform/schedulers.js'
import { createPoolDatabase, type PostgresPool } from '../../sql/pool-database.js'
import { createSharedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import type { FollowChainOptions } from '../../streams/chain/options.js'
import { checkTime } from '../options.js'
import { createProgress, runSessions } from '../run-sessions.js'
import type { FeedStatus } from '../status.js'
import { toTables, type OpenContractSession } from './contract-store.js'
import { deliverContracts, idOf, type ContractFeedInstance, type FollowedContracts } from './deliver-contracts.js'
import { toDocuments, type ContractStreamOptions } from './jetstream-documents.js'
import type { Programs } from './output-rows.js'

export interface ContractFeedOptions extends Pick<FollowChainOptions, 'from' | 'minConfirmations'> {
  readonly engine: ChainEngine
  readonly contracts: FollowedContracts
  /** Those of one schema or stream, and network, are always the same: follow others into another one. */
  readonly instances: readonly ContractFeedInstance[]
  /** A `Pool` of the package `pg`, or an instance of `PGlite`. This, or `stream`. */
  readonly database?: PostgresPool | PgliteClient | undefined
  /** The schema of the tables. @default 'vue_chain_contracts' */
  readonly schema?: string | undefined
  /** Ms after which another process replaces a silent one, with a `Pool`. @default 10_000 */
  readonly leaseTimeout?: number | undefined
  /** Ms after which a statement has failed, with a `Pool`. @default 60_000 */
  readonly statementTimeout?: number | undefined
  /** A stream of NATS JetStream, on a server from 2.10 on. */
  readonly stream?: ContractStreamOptions | undefined
}

export interface ContractFeed {
  /**
   * Delivers until the signal aborts: rows and cursor together, by one of several processes, from the stored cursor. A
   * lost connection is opened again, without end. Rejects as `follow` of contracts does, and with `ChainError`:
   * `invalid-argument` where schema or stream have other instances, `taken-over`, `unsupported`, `package-missing`,
   * `history-gap`, `aborted`.
   */
  run(options: { readonly signal: AbortSignal }): Promise<never>
  /**
   * As that of `createFeed`: `watched` counts the followed covenants, `transfers` the rows that were stored. Hot;
   * replays the latest status, emits changes, never errors.
   */
  readonly status$: Observable<FeedStatus>
}

const OPTIONS = [
  'engine',
  'contracts',
  'instances',
  'database',
  'schema',
  'leaseTimeout',
  'statementTimeout',
  'stream',
  'from',
  'minConfirmations',
] satisfies (keyof ContractFeedOptions)[]

/**
 * Follows contracts into tables of PostgreSQL 15 or later, or of PGlite, or into a stream of NATS JetStream. Throws
 * `ChainError` (`invalid-argument`).
 */
export function createContractFeed(options: ContractFeedOptions): ContractFeed {
  refuseUnknown(options, OPTIONS)
  const { engine, instances, minConfirmations = 0 } = options
  const sinkOf = checkSink(options)
  if (instances.length === 0) throw invalidArgument('instances', '"instances" must be a list, not empty')
  // the program of each, without the types of its artifact
  const programs = new Map(instances.map(({ contract, genesis }) => [idOf(contract, genesis), contract as Contract]))
  const progress = createProgress()
  return {
    status$: progress.status$.asObservable(),
    run: async ({ signal }) => {
      const { network, options: engineOptions } = partsOf(engine)
      const logger = guarded(engineOptions.logger)
      const open = sinkOf(network(), programs)
      const sessions = { engine, minConfirmations, signal, logger, scheduler: monotonicScheduler }
      await runSessions(progress, sessions, async ({ onWait, onPosition }) => {
        const context = { ...options, programs, signal, emit: progress.emit, onPosition, logger }
        await deliverContracts(await open({ onWait, signal }), context)
      })
      throw new ChainError('The feed has ended', { code: 'aborted', cause: signal.reason })
    },
  }
}

function checkSink({ database, schema = 'vue_chain_contracts', stream, ...timing }: ContractFeedOptions) {
  const { leaseTimeout = 10_000, statementTimeout = 60_000 } = timing
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw invalidArgument('schema', `"${schema}" is no name of a schema`, 'Use a-z, 0-9 and _, at most 40.')
  if (stream !== undefined && database === undefined) return toDocuments(stream)
  if (stream !== undefined || database === undefined)
    throw invalidArgument('database', 'Pass either "database" or "stream"')
  const timeouts = {
    leaseTimeout: checkTime('leaseTimeout', leaseTimeout),
    statementTimeout: checkTime('statementTimeout', statementTimeout),
  }
  const sessions = 'connect' in database ? createPoolDatabase(database, timeouts) : createSharedPglite(database)
  return (network: ChainNetwork, programs: Programs): OpenContractSession =>
    toTables(sessions, { schema, network, programs })
}

import { partsOf } from '../../engine/core-parts.js'
import type { ChainEngine } from '../../engine/engine.js'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { refuseUnknown } from '../../errors/unknown-option.js'
import type { Contract } from '../../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../../model/contracts/genesis.js'
import type { ContractRow } from '../../model/contracts/rows.js'
import { migrate } from '../../sql/migrate.js'
import { createPoolDatabase, type PostgresPool } from '../../sql/pool-database.js'
import type { SqlDatabase, SqlSession } from '../../sql/session.js'
import { createSharedPglite, type PgliteClient } from '../../sql/shared-pglite.js'
import type { FollowChainOptions } from '../../streams/chain/options.js'
import type { ContractBatches } from '../../streams/contracts/follow-contracts.js'
import { keepRunning } from '../keep-running.js'
import { readStored, storeBatch, type ContractTables, type StoredContracts } from './contract-store.js'
import { CONTRACT_MIGRATIONS } from './schema.js'

/** A contract that is followed into tables. */
export interface ContractFeedInstance {
  readonly contract: { readonly templateHash: string }
  readonly genesis: GenesisRecord<unknown>
}

/** What `createContracts` of `vue-chain/contracts` returns. */
export interface FollowedContracts {
  follow(
    options: Omit<FollowChainOptions, 'detail'> & {
      readonly instances: readonly (ContractFeedInstance & { readonly snapshot?: readonly ContractRow[] | undefined })[]
    },
  ): ContractBatches
}

export interface ContractFeedOptions extends Pick<FollowChainOptions, 'from' | 'minConfirmations'> {
  readonly engine: ChainEngine
  readonly contracts: FollowedContracts
  /** Those of one schema and network are always the same: follow others into another schema. */
  readonly instances: readonly ContractFeedInstance[]
  /** A `Pool` of the package `pg`, or an instance of `PGlite`. */
  readonly database: PostgresPool | PgliteClient
  /** The schema of the tables. @default 'vue_chain_contracts' */
  readonly schema?: string | undefined
}

export interface ContractFeed {
  /**
   * Delivers until the signal aborts: rows and cursor in one transaction, by one of several processes, from the stored
   * cursor. Rejects as `follow` of contracts does, and with `ChainError`: `invalid-argument` where the schema has other
   * instances, `taken-over`, `unsupported`, `aborted`.
   */
  run(options: { readonly signal: AbortSignal }): Promise<never>
}

const OPTIONS = ['engine', 'contracts', 'instances', 'database', 'schema', 'from', 'minConfirmations']
const TIMING = { leaseTimeout: 10_000, statementTimeout: 60_000 }

/** Follows contracts into tables of PostgreSQL 15 or later, or of PGlite. Throws `ChainError` (`invalid-argument`). */
export function createContractFeed(options: ContractFeedOptions): ContractFeed {
  refuseUnknown(options, OPTIONS)
  const { instances, database, schema = 'vue_chain_contracts' } = options
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw invalidArgument('schema', `"${schema}" is no name of a schema`, 'Use a-z, 0-9 and _, at most 40.')
  if (instances.length === 0) throw invalidArgument('instances', '"instances" must be a list, not empty')
  // the program of each, without the types of its artifact
  const programs = new Map(instances.map(({ contract, genesis }) => [idOf(contract, genesis), contract as Contract]))
  const sessions = 'connect' in database ? createPoolDatabase(database, TIMING) : createSharedPglite(database)
  return {
    run: async ({ signal }) => {
      const { network, options: engineOptions } = partsOf(options.engine)
      const tables = { schema, network: network(), programs }
      await keepRunning({ signal, logger: engineOptions.logger }, async () => {
        const session = await open(sessions, tables, signal)
        try {
          await deliver(session, options, tables, signal)
        } finally {
          await session.close()
        }
      })
      throw new ChainError('The feed has ended', { code: 'aborted', cause: signal.reason })
    },
  }
}

const open = (
  sessions: SqlDatabase,
  { schema, network }: Pick<ContractTables, 'schema' | 'network'>,
  signal: AbortSignal,
): Promise<SqlSession> => sessions.open({ lease: `vue-chain contracts ${schema} ${network}`, signal })

/** Rejects when the following or the session ends. */
async function deliver(
  session: SqlSession,
  { contracts, instances, from, minConfirmations }: ContractFeedOptions,
  tables: ContractTables,
  signal: AbortSignal,
): Promise<void> {
  await migrate(session, tables.schema, CONTRACT_MIGRATIONS)
  const stored = await session.run((query) => readStored(query, tables))
  if (stored !== undefined) requireSame(stored, tables)
  const batches = contracts.follow({
    instances: instances.map((instance) => ({ ...instance, snapshot: rowsOf(instance, stored) })),
    minConfirmations,
    signal,
    ...(stored === undefined ? { from } : { cursor: stored.cursor }),
  })
  let previous = stored?.cursor
  for await (const batch of batches) {
    const incomplete = [...new Set([...(stored?.incomplete ?? []), ...batch.incomplete])]
    await session.transaction((query) => storeBatch(query, tables, { ...batch, incomplete }, previous))
    previous = batch.cursor
  }
}

const idOf = (contract: ContractFeedInstance['contract'], genesis: GenesisRecord<unknown>): string =>
  covenantIdOfGenesis(contract as Contract, genesis as never)

const rowsOf = (
  { contract, genesis }: ContractFeedInstance,
  stored: StoredContracts | undefined,
): readonly ContractRow[] | undefined => stored?.rows.filter(({ covenantId }) => covenantId === idOf(contract, genesis))

function requireSame({ covenants }: StoredContracts, { schema, programs }: ContractTables): void {
  if (covenants.length === programs.size && covenants.every((id) => programs.has(id))) return
  throw invalidArgument(
    'instances',
    `The schema "${schema}" has the outputs of other contracts`,
    'A cursor belongs to its contracts: follow these into another schema.',
  )
}

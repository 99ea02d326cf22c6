import type { Observable } from 'rxjs'
import { migrate } from '../../sql/migrate.js'
import type { SqlDatabase } from '../../sql/session.js'
import type { ContractBatch } from '../../streams/contracts/follow-contracts.js'
import { readStored, storeBatch, type ContractTables, type StoredContracts } from './contract-store.js'
import { CONTRACT_MIGRATIONS } from './schema.js'

/** The time in which one instance delivers outputs of contracts, and no other. */
export interface ContractSession {
  /** What an earlier session has delivered; undefined before the first batch. */
  readonly stored: StoredContracts | undefined
  /**
   * Stores a batch with its cursor, or nothing. Rejects with `SessionDropped` where the outcome is unknown, and with
   * `ChainError` (`taken-over`) where another instance has delivered.
   */
  write(batch: ContractBatch): Promise<void>
  /** Positions of batches that change nothing are stored at most this often, in ms. */
  readonly positionInterval: number
  readonly heartbeat$: Observable<'begun' | 'renewed'>
  /** Rejects with `SessionDropped` once the session is lost; never resolves. */
  readonly dropped: Promise<never>
  /** Lets another instance deliver. Never rejects. */
  close(): Promise<void>
}

export interface ContractSessionOptions {
  readonly onWait: (what: 'connection' | 'lease') => void
  readonly signal: AbortSignal
}

/** Waits until this instance is the one that delivers. */
export type OpenContractSession = (options: ContractSessionOptions) => Promise<ContractSession>

/** Delivers into tables. */
export const toTables =
  (database: SqlDatabase, tables: ContractTables): OpenContractSession =>
  async (options) => {
    const { schema, network } = tables
    const session = await database.open({ lease: `vue-chain contracts ${schema} ${network}`, ...options })
    try {
      await migrate(session, schema, CONTRACT_MIGRATIONS)
      const stored = await session.run((query) => readStored(query, tables))
      let previous = stored?.cursor
      return {
        stored,
        async write(batch) {
          await session.transaction((query) => storeBatch(query, tables, batch, previous))
          previous = batch.cursor
        },
        positionInterval: 0,
        heartbeat$: session.heartbeat$,
        dropped: session.dropped,
        close: () => session.close(),
      }
    } catch (error) {
      await session.close()
      throw error
    }
  }

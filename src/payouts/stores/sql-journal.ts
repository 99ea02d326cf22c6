import { Subject, interval, map, merge } from 'rxjs'
import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import { PayoutError, SessionDropped } from '../../errors/payout-error.js'
import { loadCode } from '../../loading/load-code.js'
import { type SqlDatabase, type SqlSession, quote, runStatement, textOf } from '../../sql/session.js'
import {
  POLL_INTERVAL,
  type JournalChange,
  type JournalScope,
  type JournalSession,
  type PayoutJournal,
} from '../../streams/payouts/journal.js'
import type { SignedAmountsRecord } from '../../operations/transactions/sign/signed-amounts.js'
import { payoutChannel, withSqlTables, type SqlTables, type Waiting } from './sql-tables.js'
import { SqlAccess, type SqlRunner } from './sql-access.js'
import { cryptoError } from '../../operations/keys/crypto-failure.js'
import { toOutpointKey } from '../../model/utxo.js'

/** How a journal shares a connection with a feed. */
export interface SqlSharing extends Pick<SqlTables, 'database'> {
  /** Waits for a lease on a connection that has another one. Resolves to what releases it, unless the server does. */
  takeLease(session: SqlSession, lease: string, waiting: Waiting): Promise<(() => void) | undefined>
}

/** A journal in tables of a database. */
export interface SqlJournal extends PayoutJournal {
  /**
   * For the engine option `signedAmounts`: what was signed without a commitment to its amounts, kept for all processes
   * with the same keys. `record` rejects with `ChainCryptoError` (`amount-conflict`), and as the journal does.
   */
  readonly signedAmounts: SignedAmountsRecord
}

/** A journal in tables of a schema, which is created at the first use. `runner` needs no lease. */
export function createSqlJournal(
  runner: SqlRunner,
  database: SqlDatabase,
  sharing: SqlSharing,
  schema = 'payouts',
): SqlJournal {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw invalidArgument('schema', `"${schema}" is no name of a schema`, 'Use a-z, 0-9 and _, at most 40.')
  const changed$ = new Subject<void>()
  const notify = (): void => changed$.next() // a notification of the database takes longer
  const prepare = createPreparation(runner, schema)
  const scopeOf = ({ network, name }: JournalScope) => ({ schema, network, wallet: name })
  const leaseOf = ({ network, name }: JournalScope): string => `vue-chain payouts ${schema} ${network} ${name}`
  const follow = async (session: SqlSession): Promise<void> => {
    const notified$ = await session.listen(payoutChannel(schema))
    notified$.subscribe(notify)
  }
  const statements = prepared(runner, prepare)
  const journal: SqlJournal = {
    isDurable: true,
    signedAmounts: sqlSignedAmounts(statements, schema),
    access: (scope) => new SqlAccess(statements, scopeOf(scope), notify),
    async open(scope, signal) {
      await prepare()
      const session = await database.open({ lease: leaseOf(scope), signal })
      try {
        await follow(session)
        return toSession(session, new SqlAccess(session, scopeOf(scope), notify))
      } catch (error) {
        await session.close()
        throw error
      }
    },
    changes$: () => merge(changed$, interval(POLL_INTERVAL)).pipe(map(() => undefined)),
  }
  return withSqlTables(journal, {
    database: sharing.database,
    async join(session, scope, waiting) {
      await prepareTables(session, schema).catch(rethrowUnlessDropped) // a pool may have this connection only
      const release = await sharing.takeLease(session, leaseOf(scope), waiting)
      const close = (): Promise<void> => Promise.resolve(release?.())
      try {
        await follow(session)
      } catch (error) {
        await close()
        throw error
      }
      return Object.assign(new SqlAccess(session, scopeOf(scope), notify), { dropped: session.dropped, close })
    },
  })
}

/** Brings the schema to the newest version once; a failure is tried again. */
function createPreparation(runner: SqlRunner, schema: string): () => Promise<void> {
  let ready: Promise<void> | undefined
  return () => {
    ready ??= prepareTables(runner, schema).catch((error: unknown) => {
      ready = undefined
      throw toJournalError(error)
    })
    return ready
  }
}

async function prepareTables(runner: SqlRunner, schema: string): Promise<void> {
  const { prepareSchema } = await loadCode(() => import('./prepare-schema.js'))
  await prepareSchema(runner, schema)
}

/** Statements of callers: they do not repeat what fails. */
const prepared = (runner: SqlRunner, prepare: () => Promise<void>): SqlRunner => ({
  run: async (work) => {
    await prepare()
    return runner.run(work).catch(rethrow)
  },
  transaction: async (work) => {
    await prepare()
    return runner.transaction(work).catch(rethrow)
  },
})

const toSession = (session: SqlSession, access: SqlAccess): JournalSession =>
  Object.assign(access, {
    dropped: session.dropped,
    close: () => session.close(),
    // a change is one statement, whose transaction needs no further ones on a connection of the queue alone
    write: (change: JournalChange) => access.writeIn(change, (work) => session.run(work)),
  })

function rethrow(error: unknown): never {
  throw toJournalError(error)
}

/** The connection of a feed is opened again, as that of a session. */
function rethrowUnlessDropped(error: unknown): never {
  throw error instanceof SessionDropped ? error : toJournalError(error)
}

/** A failure of the database as a caller sees it. */
export function toJournalError(error: unknown): unknown {
  if (error instanceof SessionDropped)
    return new PayoutError('The journal cannot be reached', {
      code: 'journal-unavailable',
      cause: error.cause,
      hint: 'Call again with the same id: whether it was stored is known then.',
    })
  if (error instanceof ChainError && error.code === 'unsupported' && error.message.startsWith('The schema'))
    return new PayoutError(error.message, { code: 'schema-newer', hint: error.hint })
  return error
}

/**
 * The amounts of outputs that were signed, for all processes with the same keys. A row that is there stays: two
 * processes that insert one output wait for each other, and the second one compares.
 */
const sqlSignedAmounts = (runner: SqlRunner, schema: string): SignedAmountsRecord => ({
  async record(entries) {
    const amounts = new Map<string, string>(
      entries.map(({ outpoint, amount }) => [toOutpointKey(outpoint), String(amount)]),
    )
    for (const { outpoint, amount } of entries)
      if (amounts.get(toOutpointKey(outpoint)) !== String(amount)) throw conflict(toOutpointKey(outpoint))
    const keys = [...amounts.keys()].sort() // in one order: two processes do not wait for each other
    await runner.transaction(async (query) => {
      const rows = await runStatement(
        query,
        (bind) => `insert into ${quote(schema)}.payout_signed_amount as known (outpoint, amount)
          select outpoint, amount::bigint
            from unnest(${bind(keys)}::text[], ${bind(keys.map((key) => amounts.get(key) ?? ''))}::text[])
              with ordinality as given (outpoint, amount, at)
            order by at
          on conflict (outpoint) do update set amount = known.amount
          returning outpoint, amount::text as amount`,
      )
      const other = rows.find((row) => textOf(row, 'amount') !== amounts.get(textOf(row, 'outpoint')))
      if (other !== undefined) throw conflict(textOf(other, 'outpoint')) // nothing is committed
    })
  },
})

const conflict = (outpoint: string) =>
  cryptoError('sign', {
    code: 'amount-conflict',
    argument: 'entries',
    reason: `The output ${outpoint} was signed before with another amount`,
    hint: 'A node reported a wrong amount: read the entries again from another node.',
  })

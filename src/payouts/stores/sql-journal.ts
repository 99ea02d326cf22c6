import { Subject, interval, map, merge } from 'rxjs'
import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import { PayoutError } from '../../errors/payout-error.js'
import { loadCode } from '../../loading/load-code.js'
import { SessionDropped } from '../../errors/session-dropped.js'
import type { SqlDatabase, SqlSession } from '../../sql/session.js'
import type { JournalScope, JournalSession, PayoutJournal } from '../../streams/payouts/journal.js'
import { payoutChannel } from './payout-channel.js'
import { POLL_INTERVAL } from './poll-interval.js'
import { SqlAccess, type SqlRunner } from './sql-access.js'

/** A journal in tables of a schema, which is created at the first use. `runner` needs no lease. */
export function createSqlJournal(runner: SqlRunner, database: SqlDatabase, schema = 'payouts'): PayoutJournal {
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema))
    throw invalidArgument('schema', `"${schema}" is no name of a schema`, 'Use a-z, 0-9 and _, at most 40.')
  const changed$ = new Subject<void>()
  const notify = (): void => changed$.next() // a notification of the database takes longer
  const prepare = createPreparation(runner, schema)
  const scopeOf = ({ network, name }: JournalScope) => ({ schema, network, wallet: name })
  return {
    isDurable: true,
    access: (scope) => new SqlAccess(prepared(runner, prepare), scopeOf(scope), notify),
    async open(scope, signal) {
      await prepare()
      const lease = `vue-chain payouts ${schema} ${scope.network} ${scope.name}`
      const session = await database.open({ lease, signal })
      try {
        const notified$ = await session.listen(payoutChannel(schema))
        notified$.subscribe(notify)
        return toSession(session, new SqlAccess(session, scopeOf(scope), notify))
      } catch (error) {
        await session.close()
        throw error
      }
    },
    changes$: () => merge(changed$, interval(POLL_INTERVAL)).pipe(map(() => undefined)),
  }
}

/** Brings the schema to the newest version once; a failure is tried again. */
function createPreparation(runner: SqlRunner, schema: string): () => Promise<void> {
  let ready: Promise<void> | undefined
  return () => {
    ready ??= loadCode(() => import('./prepare-schema.js'))
      .then(({ prepareSchema }) => prepareSchema(runner, schema))
      .catch((error: unknown) => {
        ready = undefined
        throw toJournalError(error)
      })
    return ready
  }
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
  Object.assign(access, { dropped: session.dropped, close: () => session.close() })

function rethrow(error: unknown): never {
  throw toJournalError(error)
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

import { quote } from '../../sql/quote.js'
import type { Query, SqlSession } from '../../sql/session.js'
import type { FeedPosition, FeedQueue } from '../../streams/payouts/feed-queue.js'
import type { FeedSession, FeedStep } from '../sink.js'
import { MARK } from './schema.js'
import type { Tables } from './transfer-rows.js'

/** A session whose steps take other statements into their transaction. */
export interface PostgresFeedSession extends FeedSession {
  /** `beside` writes in the transaction of the step, after it. */
  write(step: FeedStep, beside?: (query: Query) => Promise<void>): Promise<readonly string[]>
}

/** A queue of payouts that works on the connection of a feed. */
export interface SharedQueue extends Tables, Pick<FeedPosition, 'minConfirmations'> {
  readonly queue: FeedQueue
  readonly watch: 'table' | 'given'
  readonly signal: AbortSignal
}

/** A session in which a queue works, too. Rejects as `run` of the queue. */
export async function shareSession(
  session: SqlSession,
  feed: PostgresFeedSession,
  { queue, watch, minConfirmations, signal, ...tables }: SharedQueue,
): Promise<FeedSession> {
  const own = new Set(queue.addresses)
  const request = async (): Promise<void> => {
    if (watch === 'table') await requestAddresses(session, tables, queue.addresses)
  }
  await request()
  const { cursor, watched } = feed
  const shared = await queue.open(session, { cursor, watched, minConfirmations }, signal)
  const write = async (step: FeedStep, isDue: boolean): Promise<readonly string[] | undefined> => {
    const unwanted = await shared.write(step, (beside) => feed.write(step, beside), isDue)
    if (unwanted !== undefined && [...step.removed, ...unwanted].some((address) => own.has(address))) await request()
    return unwanted
  }
  const dropped = Promise.race([feed.dropped, shared.failed])
  dropped.catch(() => undefined) // handled once the feed delivers
  return {
    ...feed,
    write: async (step) => (await write(step, true)) ?? [],
    pass: (step) => write(step, false),
    dropped,
    async close() {
      await shared.close()
      await feed.close()
    },
  }
}

/**
 * Requests addresses as other programs do: their triggers name the rows. A row that was refused, or deleted, is
 * requested again.
 */
const requestAddresses = (
  session: SqlSession,
  { schema, network }: Tables,
  addresses: readonly string[],
): Promise<unknown> =>
  session.transaction(async (query) => {
    await query('select set_config($1, $2, true)', [MARK, 'off'])
    await query(
      `insert into ${quote(schema)}.watched_address as w (network, address)
        select $1, address from unnest($2::text[]) as r (address)
        on conflict (network, address) do update set since = null, error = null where w.error is not null`,
      [network, addresses],
    )
    await query('select set_config($1, $2, true)', [MARK, 'on'])
  })

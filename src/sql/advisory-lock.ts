import { sleep } from '../loading/abortable.js'
import { textOf, type Query, type SqlSession } from './session.js'

/** Takes an advisory lock, unless another session has it. The server releases it with the connection. */
export async function tryLock(query: Query, name: string): Promise<boolean> {
  const [row] = await query('select pg_try_advisory_lock(hashtextextended($1, 0))::text as locked', [name])
  return row !== undefined && textOf(row, 'locked') === 'true'
}

/**
 * Waits for an advisory lock on a connection that has work beside: polls, as a statement that blocks would block that
 * work. Rejects with the signal's reason.
 */
export async function waitForLock(
  session: Pick<SqlSession, 'run'>,
  name: string,
  {
    interval,
    onWait,
    signal,
  }: { readonly interval: number; readonly onWait: () => void; readonly signal: AbortSignal },
): Promise<void> {
  while (!(await session.run((query) => tryLock(query, name)))) {
    onWait()
    await sleep(interval, signal)
    signal.throwIfAborted()
  }
}

import { SessionDropped } from '../errors/session-dropped.js'
import { createPause } from '../loading/pause.js'
import type { ChainLogger } from '../platform/port.js'

export interface RunningContext {
  readonly signal: AbortSignal
  readonly logger: Pick<ChainLogger, 'warn'>
}

/** After how many ms a session was no failed attempt. */
const LASTING = 10_000

/**
 * Runs a part that works in one session with the database, in one after the other, until the signal aborts. Rejects as
 * the part does, but not where its session was lost.
 */
export async function keepRunning<C extends RunningContext>(
  context: C,
  part: (context: C) => Promise<void>,
): Promise<void> {
  const { signal, logger } = context
  const pause = createPause(signal)
  const isEnded = (): boolean => signal.aborted
  while (!isEnded()) {
    const began = Date.now()
    try {
      await part(context)
    } catch (error) {
      if (isEnded()) return
      if (!(error instanceof SessionDropped)) throw error
      logger.warn('The connection to the database was lost', { error })
      if (Date.now() - began > LASTING) pause.reset()
      await pause.wait()
    }
  }
}

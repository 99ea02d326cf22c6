import { redact } from '../errors/redact.js'
import { SessionDropped } from '../errors/payout-error.js'
import { createPause, type Pause } from '../loading/pause.js'
import type { ChainLogger } from '../platform/port.js'

export interface RunningContext {
  readonly signal: AbortSignal
  readonly logger: Pick<ChainLogger, 'warn'>
  /** What the sessions are with. @default 'database' */
  readonly peer?: 'database' | 'sink' | undefined
  /** Between two sessions. @default one that grows, until a session lasts */
  readonly pause?: Pause | undefined
  /** Called with the words of the driver, without credentials, after a session was lost. */
  readonly onDropped?: ((reason: string) => void) | undefined
}

/** After how many ms a session was no failed attempt. */
const LASTING = 10_000

/**
 * Runs a part that works in one session with a database or another sink, in one after the other, until the signal
 * aborts. Rejects as the part does, but not where its session was lost.
 */
export async function keepRunning<C extends RunningContext>(
  context: C,
  part: (context: C) => Promise<void>,
): Promise<void> {
  const { signal, logger, peer = 'database', pause = createPause(signal), onDropped } = context
  const isEnded = (): boolean => signal.aborted
  while (!isEnded()) {
    const began = Date.now()
    try {
      await part(context)
    } catch (error) {
      if (isEnded()) return
      if (!(error instanceof SessionDropped)) throw error
      logger.warn(`The connection to the ${peer} was lost`, { error })
      onDropped?.(reasonOf(error))
      if (Date.now() - began > LASTING) pause.reset()
      await pause.wait()
    }
  }
}

/** The words of the driver. */
const reasonOf = ({ cause, message }: SessionDropped): string =>
  redact(cause instanceof Error && cause.message !== '' ? cause.message : message)

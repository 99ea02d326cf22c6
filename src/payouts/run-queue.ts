import { PayoutError, SessionDropped } from '../errors/payout-error.js'
import { createPause } from '../loading/pause.js'
import type { JournalAccess } from '../streams/payouts/journal.js'
import { mirrorClaims } from './mirror-claims.js'
import { previewBatch, type PayoutPreview } from './preview.js'
import { QueueNode } from './queue-node.js'
import type { QueueEvent } from './status.js'
import { work, type WorkContext } from './work.js'

/**
 * Works as long as the signal lets it: opens a session of the journal again after each that was lost. Rejects as `run`
 * does. Loaded by the first `run()`: a process that only stores and reads payouts does without.
 */
export async function runQueue(context: Omit<WorkContext, 'node'>): Promise<void> {
  const { engine, options, scope, logger, emit, signal } = context
  const pause = createPause(signal)
  const isEnded = (): boolean => signal.aborted
  if (Array.isArray(options.keysOrSigner)) await engine.wasm.init()
  const node = new QueueNode(engine, options)
  const report = (event: QueueEvent): void => {
    if (event.type === 'followed') pause.reset()
    emit(event)
  }
  while (!isEnded()) {
    emit({ type: 'waiting' })
    try {
      const session = await options.journal.open(scope, signal)
      await work(await mirrorClaims(session, context), { ...context, node, emit: report })
    } catch (error) {
      if (isEnded()) return
      if (!isTransient(error)) throw error
      logger.warn('The journal was lost', { error })
      emit({ type: 'dropped' })
      await pause.wait()
    }
  }
}

const isTransient = (error: unknown): boolean =>
  error instanceof SessionDropped || (error instanceof PayoutError && error.code === 'journal-unavailable')

/** The next transaction from settled UTXOs. */
export function previewQueue(
  access: JournalAccess,
  { engine, options }: Pick<WorkContext, 'engine' | 'options'>,
): Promise<PayoutPreview | null> {
  const node = new QueueNode(engine, options)
  return previewBatch(access, { node, options, signal: new AbortController().signal })
}

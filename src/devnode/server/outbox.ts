import type { Frame } from '../../wrpc/codec.js'
import type { OutgoingMessage } from '../faults/fault.js'
import { systemTimers, type Timers } from '../machine.js'

/** Writes one frame, or one part of it, to the socket. */
export type Transmit = (part: Frame, isLast: boolean) => void

/** The send queue of one client. */
export interface Outbox {
  post(message: OutgoingMessage): void
  /** Sends nothing until `resume`. */
  pause(): void
  resume(): void
  /** Discards what has not been sent. */
  dispose(): void
}

export interface OutboxLimit {
  /** Bytes handed to the socket and not sent yet. */
  readonly unsent: () => number
  /** Called instead of sending where `MAX_UNSENT` is exceeded: the client reads too slowly. */
  readonly onExceeded: () => void
}

/** The bytes that may wait for one client before the next message; a single message may be longer. */
export const MAX_UNSENT: number = 64 * 2 ** 20

/** Milliseconds between two chunks of a throttled message. */
const CHUNK_INTERVAL = 10

/**
 * A queue that keeps the order, as TCP does: later messages wait behind a delayed one. A message without delay or
 * throttling is sent within the call if the queue is empty.
 */
export function createOutbox(transmit: Transmit, limit: OutboxLimit = NO_LIMIT, timers: Timers = systemTimers): Outbox {
  let queuedBytes = 0
  const queue: (OutgoingMessage & { readonly due: number })[] = []
  let status: 'open' | 'paused' | 'closed' = 'open'
  let cancel: (() => void) | undefined // set while the first message is delayed or throttled

  const advance = (): void => {
    cancel = undefined
    while (status === 'open' && cancel === undefined) {
      const [first] = queue
      if (first === undefined) return
      const wait = first.due - timers.now()
      if (wait > 0) cancel = timers.after(wait, advance)
      else {
        queue.shift()
        queuedBytes -= first.frame.length
        if (first.bytesPerSecond === undefined) transmit(first.frame, true)
        else throttle(first.frame, first.bytesPerSecond)
      }
    }
  }
  const throttle = (frame: Frame, bytesPerSecond: number, from = 0): void => {
    const to = from + Math.max(1, Math.ceil((bytesPerSecond * CHUNK_INTERVAL) / 1_000))
    const isLast = to >= frame.length
    transmit(frame.slice(from, to), isLast)
    cancel = timers.after(CHUNK_INTERVAL, isLast ? advance : () => throttle(frame, bytesPerSecond, to))
  }
  const enqueue = (message: OutgoingMessage): void => {
    if (status === 'closed') return
    queue.push({ ...message, due: timers.now() + message.delay })
    queuedBytes += message.frame.length
    if (cancel === undefined) advance()
  }
  const setStatus = (next: 'open' | 'paused' | 'closed'): void => {
    if (status !== 'closed') status = next
    if (status === 'open' && cancel === undefined) advance()
  }
  const delayed = createDelayedMessages(enqueue, timers)
  return {
    post: (message) => {
      if (status === 'closed') return
      if (queuedBytes + limit.unsent() > MAX_UNSENT) limit.onExceeded()
      else if (message.reorderDelay > 0) delayed.add(message)
      else enqueue(message)
    },
    pause: () => setStatus('paused'),
    resume: () => setStatus('open'),
    dispose() {
      setStatus('closed')
      cancel?.()
      delayed.dispose()
    },
  }
}

const NO_LIMIT: OutboxLimit = { unsent: () => 0, onExceeded: () => undefined }

/** Messages delayed outside the queue, so that later ones pass them; each is queued when it is due. */
function createDelayedMessages(
  onDue: (message: OutgoingMessage) => void,
  timers: Timers,
): {
  add(message: OutgoingMessage): void
  dispose(): void
} {
  const pending = new Set<() => void>()
  return {
    add(message) {
      const cancel = timers.after(message.reorderDelay, () => {
        pending.delete(cancel)
        onDue(message)
      })
      pending.add(cancel)
    },
    dispose() {
      for (const cancel of pending) cancel()
    },
  }
}

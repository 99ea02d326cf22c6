import type { Frame } from '../../wrpc/codec.js'
import type { Parcel } from '../faults/fault.js'

/** Puts one frame, or one part of it, on the socket. */
export type Transmit = (part: Frame, isLast: boolean) => void

/** What is on its way to one client, in order. */
export interface Outbox {
  post(parcel: Parcel): void
  /** Nothing leaves until `release`. */
  hold(): void
  release(): void
  /** Forgets what has not left. */
  dispose(): void
}

/** How often a dripping message lets fall. */
const DRIP_INTERVAL = 10

/**
 * A line that keeps the order of what it carries, as TCP does: what is late makes wait what follows. A parcel that is neither
 * late nor dripping leaves within the call, if nothing stands before it.
 */
export function createOutbox(transmit: Transmit): Outbox {
  const queue: (Parcel & { readonly due: number })[] = []
  let gate: 'open' | 'held' | 'closed' = 'open'
  let pace: NodeJS.Timeout | undefined // set while the first parcel waits for its time, or drips

  const advance = (): void => {
    pace = undefined
    while (gate === 'open' && pace === undefined) {
      const [first] = queue
      if (first === undefined) return
      const wait = first.due - performance.now()
      if (wait > 0) pace = setTimeout(advance, wait)
      else {
        queue.shift()
        if (first.pace === undefined) transmit(first.frame, true)
        else drip(first.frame, first.pace)
      }
    }
  }
  const drip = (frame: Frame, bytesPerSecond: number, from = 0): void => {
    const to = from + Math.max(1, Math.ceil((bytesPerSecond * DRIP_INTERVAL) / 1_000))
    const isLast = to >= frame.length
    transmit(frame.slice(from, to), isLast)
    pace = setTimeout(isLast ? advance : () => drip(frame, bytesPerSecond, to), DRIP_INTERVAL)
  }
  const enqueue = (parcel: Parcel): void => {
    if (gate === 'closed') return
    queue.push({ ...parcel, due: performance.now() + parcel.delay })
    if (pace === undefined) advance()
  }
  const setGate = (next: 'open' | 'held' | 'closed'): void => {
    if (gate !== 'closed') gate = next
    if (gate === 'open' && pace === undefined) advance()
  }
  const detours = createDetours(enqueue)
  return {
    post: (parcel) => (parcel.held > 0 && gate !== 'closed' ? detours.take(parcel) : enqueue(parcel)),
    hold: () => setGate('held'),
    release: () => setGate('open'),
    dispose() {
      setGate('closed')
      clearTimeout(pace)
      detours.dispose()
    },
  }
}

/** Where parcels wait that others may pass; each comes back when its time is over. */
function createDetours(comeBack: (parcel: Parcel) => void): { take(parcel: Parcel): void; dispose(): void } {
  const timers = new Set<NodeJS.Timeout>()
  return {
    take(parcel) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        comeBack(parcel)
      }, parcel.held)
      timers.add(timer)
    },
    dispose() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

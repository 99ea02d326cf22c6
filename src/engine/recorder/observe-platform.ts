import type { SchedulerAction, SchedulerLike } from 'rxjs'
import type { Platform, PlatformSocket } from '../../platform/port.js'
import { createSocket } from '../../platform/socket.js'
import type { FrameData, Frames, SocketEvent } from './memory.js'

/** The size of the frame that is being sent or handled, for the record of its call. Handling is synchronous. */
export interface FrameMeter {
  sent: number | null
  received: number | null
  /** The newest socket. */
  socket: PlatformSocket | null
}

export interface ObserveDeps {
  readonly meter: FrameMeter
  /** Null: frames are not captured. */
  readonly frames: Frames | null
  /** Receives the delay of a timer that fired late, ms. */
  readonly onLate: (late: number) => void
}

/** A timer that fires so late was held up: pages are throttled to one timer a second. */
const LATE = 1_000

/** The same platform; measures frames, captures them, and reports late timers. */
export function observePlatform(platform: Platform, deps: ObserveDeps): Platform {
  return {
    ...platform,
    scheduler: observeTimers(platform.scheduler, deps.onLate),
    random: () => captureRandom(platform.random(), deps.frames),
    openSocket: async (url, options) => {
      const capture = startCapture(platform.scheduler, deps.frames)
      try {
        const socket = observeSocket(await platform.openSocket(url, options), deps.meter, capture)
        deps.meter.socket = socket
        return socket
      } catch (error) {
        capture('closed', 1006)
        throw error
      }
    },
  }
}

function captureRandom(value: number, frames: Frames | null): number {
  if (frames !== null && frames.randoms.length < MAX_RANDOMS) frames.randoms.push(value)
  return value
}

/** Captured random numbers, at most. */
const MAX_RANDOMS = 10_000

function observeTimers(scheduler: SchedulerLike, onLate: (late: number) => void): SchedulerLike {
  return {
    now: () => scheduler.now(),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) {
      const due = scheduler.now() + delay
      const observed = function (this: SchedulerAction<T>, current?: T): void {
        const late = scheduler.now() - due
        if (late >= LATE && isFirst) onLate(late)
        isFirst = false // an action may schedule itself again, with a delay of its own
        work.call(this, current)
      }
      let isFirst = true
      return scheduler.schedule(observed, delay, state)
    },
  }
}

/** Adds an event of one socket. */
type Capture = (type: SocketEvent['type'], detail?: FrameData | number) => void

/** The capture of one socket, timed from now on. */
function startCapture(scheduler: SchedulerLike, frames: Frames | null): Capture {
  if (frames === null) return () => undefined
  const socket = frames.open()
  const openedAt = scheduler.now()
  return (type, detail) => {
    if (socket.events.at(-1)?.type === 'ended') return // what arrives after it, the client does not receive
    frames.add(socket, toEvent(Math.round(scheduler.now() - openedAt), type, detail))
  }
}

function toEvent(at: number, type: SocketEvent['type'], detail: FrameData | number = 1006): SocketEvent {
  if (type === 'opened' || type === 'ended') return { at, type }
  if (typeof detail === 'number') return { at, type: 'closed', code: detail }
  // a received frame may be a view that is valid only now
  const data = typeof detail === 'string' ? detail : detail.slice()
  return { at, type: type === 'sent' ? type : 'received', data }
}

/** The same socket; its frames are measured and captured. */
function observeSocket(socket: PlatformSocket, meter: FrameMeter, capture: Capture): PlatformSocket {
  const observed = createSocket(socket, {
    send: (data) => {
      meter.sent = data.length
      capture('sent', data)
      socket.send(data)
    },
    close: (code, reason) => {
      capture('ended')
      socket.close(code, reason)
    },
  })
  socket.onopen = () => {
    capture('opened')
    observed.onopen?.()
  }
  socket.onmessage = (message) => {
    const { data } = message
    const frame = data instanceof ArrayBuffer ? new Uint8Array(data) : data
    meter.received = frame.length
    capture('received', frame)
    observed.onmessage?.(message)
  }
  socket.onerror = (event) => observed.onerror?.(event)
  socket.onclose = (event) => {
    capture('closed', event.code)
    observed.onclose?.(event)
  }
  if (socket.readyState === OPEN) capture('opened')
  return observed
}

const OPEN = 1

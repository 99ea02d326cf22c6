/** The newest items, at most `size`. */
interface Ring<Item> {
  /** Constant time; allocates nothing. */
  readonly push: (item: Item) => void
  /** Oldest first. */
  readonly items: () => Item[]
  /** How many items were overwritten. */
  readonly dropped: () => number
  readonly clear: () => void
}

export function createRing<Item>(size: number): Ring<Item> {
  const slots: Item[] = []
  let next = 0
  let dropped = 0
  return {
    push: (item) => {
      if (slots.length === size) dropped++
      slots[next] = item
      next = next + 1 === size ? 0 : next + 1
    },
    items: () => (slots.length < size ? [...slots] : [...slots.slice(next), ...slots.slice(0, next)]),
    dropped: () => dropped,
    clear: () => {
      slots.length = next = dropped = 0
    },
  }
}

/** A frame of a recorded connection: a text, or bytes. */
export type FrameData = string | Uint8Array<ArrayBuffer>

/** What happened on a socket. `at`: milliseconds since it was requested. */
export type SocketEvent =
  | { readonly at: number; readonly type: 'opened' }
  | { readonly at: number; readonly type: 'sent' | 'received'; readonly data: FrameData }
  /** Closed by the node, or not opened at all. */
  | { readonly at: number; readonly type: 'closed'; readonly code: number }
  /** Closed by this client. */
  | { readonly at: number; readonly type: 'ended' }

/** One socket, opened or not. */
export interface CapturedSocket {
  readonly events: SocketEvent[]
  bytes: number
  /** `cut`: frames beyond the bound are missing at its end. `dropped`: it is no longer captured. */
  state: 'captured' | 'cut' | 'dropped'
}

/** The raw frames of the newest sockets. */
export interface Frames {
  /** Begins a socket. */
  readonly open: () => CapturedSocket
  /** Adds an event. The oldest sockets are dropped for it; the newest one is cut instead. */
  readonly add: (socket: CapturedSocket, event: SocketEvent) => void
  readonly sockets: () => readonly CapturedSocket[]
  /** The first random numbers of the platform, which decide delays of retries. */
  readonly randoms: number[]
  /** How many sockets were dropped since the last `clear`. */
  readonly dropped: () => number
  readonly clear: () => void
}

/** What a socket, or an event without its frame, counts as: frames may be empty, and sockets fail before the first. */
const OVERHEAD = 64

/** `maxBytes`: of all frames, with the overhead of events and sockets. */
export function createFrames(maxBytes: number): Frames {
  let sockets: CapturedSocket[] = []
  let bytes = 0
  let dropped = 0
  const randoms: number[] = []

  function drop(socket: CapturedSocket): void {
    sockets = sockets.filter((each) => each !== socket)
    bytes -= socket.bytes
    socket.state = 'dropped'
  }
  function dropOldest(size: number): void {
    for (let [oldest, next] = sockets; bytes + size > maxBytes && oldest && next; [oldest, next] = sockets) {
      drop(oldest)
      dropped++
    }
  }
  return {
    open: () => {
      dropOldest(OVERHEAD)
      const socket: CapturedSocket = { events: [], bytes: OVERHEAD, state: 'captured' }
      bytes += OVERHEAD
      sockets.push(socket)
      return socket
    },
    add: (socket, event) => {
      const size = OVERHEAD + ('data' in event ? event.data.length : 0)
      if (socket.state === 'captured') dropOldest(size)
      if (socket.state !== 'captured') return
      if (bytes + size > maxBytes) {
        socket.state = 'cut'
        return
      }
      bytes += size
      socket.bytes += size
      socket.events.push(event)
    },
    sockets: () => sockets,
    randoms,
    dropped: () => dropped,
    clear: () => {
      for (const socket of sockets) drop(socket)
      dropped = randoms.length = 0
    },
  }
}

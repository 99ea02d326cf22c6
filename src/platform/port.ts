import type { Observable, SchedulerLike } from 'rxjs'

/** What we ask of the surroundings: everything that a test, a browser and a server answer differently. */
export interface Platform {
  /** The wall clock, Unix milliseconds. It may jump: a laptop sleeps, a user sets the time. */
  now(): number
  /** Timers, by a clock of their own that never jumps. Virtual in tests. */
  readonly scheduler: SchedulerLike
  /** Where bursts are coalesced: the display's frames in a visible page, a short timer elsewhere. */
  readonly frames: SchedulerLike
  /** In [0, 1). */
  random(): number
  /** Whether there is a network, as far as the surroundings know. Replays the current value, emits only changes, never completes. */
  readonly online$: Observable<boolean>
  /** Whether anyone can see us. Replays the current value, emits only changes, never completes. Always true on a server. */
  readonly visible$: Observable<boolean>
  /** Whether only secure sockets may be opened, as on a page that came over https. */
  readonly secure: boolean
  /** Small text values that outlive the page; null where storage is absent or refuses. */
  readonly storage: PlatformStorage | null
  /** HTTP, for the node resolver and the indexer. */
  readonly fetch: typeof fetch
  /** Opens a WebSocket; rejects only where the surroundings have none. The socket itself reports its fate by its events. */
  openSocket(url: string): Promise<PlatformSocket>
}

export interface PlatformStorage {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

/** The part of the standard WebSocket that we use. Binary messages arrive as they lie in memory: ours to read until we return. */
export interface PlatformSocket {
  readonly readyState: number
  readonly bufferedAmount: number
  onopen: (() => void) | null
  onmessage: ((event: { readonly data: string | ArrayBuffer | Uint8Array<ArrayBuffer> }) => void) | null
  onerror: ((event: unknown) => void) | null
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null
  send(data: string | Uint8Array<ArrayBuffer>): void
  close(code?: number, reason?: string): void
}

/** Where the library writes what a developer may want to read. Silent unless one is given. */
export interface ChainLogger {
  readonly debug: LogLine
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
}

/** Writes one line. `fields` never hold a key, a phrase or a credential. */
export type LogLine = (message: string, fields?: object) => void

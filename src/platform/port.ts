import type { Observable, SchedulerLike } from 'rxjs'

/** The environment: everything that differs between a test, a browser and a server. */
export interface Platform {
  /** The wall clock, Unix ms. It may jump: a laptop sleeps, a user sets the time. */
  now(): number
  /** Timers with a monotonic clock. Virtual in tests. */
  readonly scheduler: SchedulerLike
  /** Coalesces bursts: animation frames in a visible page, a short timer elsewhere. */
  readonly frames: SchedulerLike
  /** In [0, 1). */
  random(): number
  /** Whether the environment reports a network. Replays the current value, emits only changes, never completes. */
  readonly online$: Observable<boolean>
  /**
   * Whether the page is visible; always true on a server. Replays the current value, emits only changes, never
   * completes.
   */
  readonly visible$: Observable<boolean>
  /** Whether only secure sockets may be opened, as on an https page. */
  readonly secure: boolean
  /** Persistent text values; null if storage is missing or forbidden. */
  readonly storage: PlatformStorage | null
  /** As `storage`, for this tab only: kept over a reload. @default none */
  readonly tabStorage?: PlatformStorage | null | undefined
  /** What tabs share; null: nothing. @default that of the browser */
  readonly tabs?: PlatformTabs | null | undefined
  /** HTTP, for the node resolver and the indexer. */
  readonly fetch: typeof fetch
  /** The longest message, in bytes, that this environment can process. @default 256 MiB */
  readonly maxFrameSize?: number | undefined
  /**
   * Opens a WebSocket, now or later. Rejects only if the environment has none; the socket reports failures by its
   * events. Messages above `maxFrameSize` bytes end the socket before they are received, where the environment supports
   * it.
   */
  openSocket(url: string, options?: SocketOptions): PlatformSocket | Promise<PlatformSocket>
}

export interface SocketOptions {
  /** Bytes. */
  readonly maxFrameSize?: number | undefined
}

export interface PlatformStorage {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
}

/** The used part of the standard WebSocket. A binary message may be a view that is valid only during the handler. */
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

/** What the tabs of an origin share: a database, locks, and messages. */
export interface PlatformTabs {
  /**
   * `indexedDB`; where `deleteDatabase` is missing, databases that are deleted stay, without records. An object in a
   * program that is compiled without the DOM library.
   */
  readonly databases: typeof globalThis extends {
    indexedDB: infer All extends { open: unknown; deleteDatabase: unknown }
  }
    ? Pick<All, 'open'> & Partial<Pick<All, 'deleteDatabase'>>
    : object
  /** `navigator.locks`, likewise. */
  readonly locks: typeof globalThis extends {
    navigator: { locks: infer All extends { request: unknown; query: unknown } }
  }
    ? Pick<All, 'request' | 'query'>
    : object
  /** Emits after each `notify` of this name, of this tab too. A hint: a suspended tab receives none. */
  notified$(name: string): Observable<void>
  notify(name: string): void
  /** Emits before the browser suspends the page: it runs no code then, and what it holds stays held. */
  readonly suspended$: Observable<void>
  /** Requests that the browser does not evict what the origin stores. Never rejects. */
  persist(): Promise<void>
}

/** Receives the library's log lines. */
export interface ChainLogger {
  readonly debug: LogLine
  readonly info: LogLine
  readonly warn: LogLine
  readonly error: LogLine
}

/** Writes one line. `fields` never contain a key, a mnemonic or a credential. */
export type LogLine = (message: string, fields?: object) => void

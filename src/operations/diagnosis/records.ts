/** What is checked, in the order of the report. */
export type CheckId =
  | 'online'
  | 'page'
  | 'url'
  | 'resolver'
  | 'reachable'
  | 'handshake'
  | 'encoding'
  | 'network'
  | 'synced'
  | 'utxo-index'
  | 'version'
  | 'daa-score'
  | 'clock'
  | 'round-trip'
  | 'indexer'
  | 'indexer-network'
  | 'indexer-lag'
  | 'wasm'
  | 'wallets'
  | 'sharing'

/**
 * - `ok`: nothing to do. `warning`: it works, but something may need it. `failed`: it does not work; `remedy` says what
 *   to do.
 * - `skipped`: not checked, because a check before it failed or the app does not use it.
 */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'skipped'

/** The result of one check. */
export interface DiagnosisCheck {
  readonly id: CheckId
  readonly status: CheckStatus
  /** One sentence. */
  readonly summary: string
  /** The words of the underlying error, or figures; '' for none. Credentials are masked. */
  readonly detail: string
  /** What to do; null where there is nothing to do. Never null of a failed check. */
  readonly remedy: string | null
}

/** The result of all checks, of every `CheckId` one, in their order. */
export interface Diagnosis {
  /** Whether no check failed. */
  readonly ok: boolean
  readonly checks: readonly DiagnosisCheck[]
}

/** How to diagnose. */
export interface DiagnoseOptions {
  /** Ends the diagnosis: it rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** The bound of each request, ms. @default 5000 */
  readonly timeout?: number | undefined
}

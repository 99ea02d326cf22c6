import { shown } from '../../errors/shown.js'
import type { Observable, SchedulerLike } from 'rxjs'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import type { NodePort } from '../../node/port.js'
import type { WalletsPort } from '../../wallets/port.js'

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

/** The results of a check. Texts pass `shown` here, so that no check can forget it. */

export const passed = (id: CheckId, summary: string, detail = ''): DiagnosisCheck =>
  toCheck({ id, status: 'ok', summary, detail, remedy: null })

export const warning = (id: CheckId, summary: string, remedy: string, detail = ''): DiagnosisCheck =>
  toCheck({ id, status: 'warning', summary, detail, remedy })

export const failed = (id: CheckId, summary: string, remedy: string, detail = ''): DiagnosisCheck =>
  toCheck({ id, status: 'failed', summary, detail, remedy })

export const skipped = (id: CheckId, reason: string): DiagnosisCheck =>
  toCheck({ id, status: 'skipped', summary: reason, detail: '', remedy: null })

const toCheck = (check: DiagnosisCheck): DiagnosisCheck => ({
  ...check,
  summary: shown(check.summary),
  detail: shown(check.detail),
  remedy: check.remedy === null ? null : shown(check.remedy),
})

/** The messages of an error and its causes. */
export function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let cause = error; cause instanceof Error && words.length < 8; cause = cause.cause) {
    if (!words.includes(cause.message)) words.push(cause.message)
  }
  return words.join(': ')
}

/** Why a socket could not be opened, as far as the environment says: browsers say nothing (`opaque`). */
export type DialFailure =
  | { readonly kind: 'refused' | 'unknown-host' | 'unreachable' | 'no-response' }
  /**
   * TCP works: an HTTP server rejected the upgrade, something else spoke, TLS failed, or the peer closed the
   * connection.
   */
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'not-http' | 'tls' | 'closed' }
  | { readonly kind: 'opaque' }

const KINDS = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
} as const

/** Classifies the failure of a dial by the codes and words of Node and of `ws`. */
export function toDialFailure(error: unknown): DialFailure {
  const code = codeOf(error)
  const words = wordsOf(error)
  const status = /Unexpected server response: (\d{3})/.exec(words)?.[1]
  if (status !== undefined) return { kind: 'http', status: Number(status) }
  if (/CERT|TLS|SSL|EPROTO|ALTNAME/.test(code)) return { kind: 'tls' }
  if (code.startsWith('HPE_') || words.includes('Parse Error')) return { kind: 'not-http' }
  if (isKnown(code)) return { kind: KINDS[code] }
  return words.includes('socket hang up') ? { kind: 'closed' } : { kind: 'opaque' }
}

const isKnown = (code: string): code is keyof typeof KINDS => Object.hasOwn(KINDS, code)

/** The innermost error code; '' without one. A host with several addresses fails with an `AggregateError`. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { cause, errors, code } = error as { cause?: unknown; errors?: unknown; code?: unknown }
  const inner = codeOf(cause) || (Array.isArray(errors) ? codeOf(errors[0]) : '')
  return inner || (typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code) ? code : '')
}

/** What the checks may use of an engine and its environment. Nothing of it changes the state of the engine. */
export interface DiagnosisProbes {
  readonly target: DiagnosisTarget
  /** Opens sockets of its own. */
  readonly node: NodePort
  /** Requests a node URL from the resolvers. */
  readonly resolve: () => Observable<string>
  readonly rest: RestProbe
  readonly wasm: WasmProbe
  /** The page's wallets, and the account in use; null without a page. */
  readonly wallets: WalletProbe | null
  readonly platform: PlatformProbe
  readonly sharing: SharingProbe
}

/** What this tab shares with others: the reason why it is less than the option `shared` says; null where nothing is. */
export interface SharingProbe {
  readonly isRequested: boolean
  readonly reason: string | null
  /** Tabs on one connection; null with an own one. */
  readonly tabs: number | null
}

export interface DiagnosisTarget {
  readonly network: ChainNetwork
  readonly encoding: RpcEncoding
  /** The URL in use, else the first configured one; null where only a resolver knows one. */
  readonly url: string | null
  /** How many other URLs are configured; they are not checked. */
  readonly others: number
  readonly resolver: 'use' | 'skip'
}

export interface PlatformProbe {
  /** Unix milliseconds. */
  readonly now: () => number
  readonly scheduler: SchedulerLike
  readonly online$: Observable<boolean>
  readonly visible$: Observable<boolean>
  /** Whether only secure sockets may be opened. */
  readonly secure: boolean
  readonly fetch: typeof fetch
}

interface RestProbe {
  /** Without the keys in its path. */
  readonly baseUrl: string
  /** What the indexer knows of the chain, not from a cache. */
  readonly chain: (options: { readonly signal: AbortSignal; readonly timeout: number }) => Promise<{
    readonly networkName: string
    readonly virtualDaaScore: string
  }>
}

export type WasmProbe =
  | { readonly kind: 'unused'; readonly reason: string }
  /** `fetch`: the file's response headers; `size` where they do not say. */
  | { readonly kind: 'file'; readonly locate: () => Promise<WasmFile> }

/** The WASM file, as far as it can be seen without loading it. */
type WasmFile =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'local'; readonly url: string; readonly size: number | null }
  | { readonly kind: 'given' }

export interface WalletProbe {
  readonly port: WalletsPort
  /** The connected wallet and its network; null while none is connected. */
  readonly connected: () => { readonly name: string; readonly network: string | null } | null
}

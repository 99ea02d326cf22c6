import type { Observable, SchedulerLike } from 'rxjs'
import type { ChainNetwork, RpcEncoding } from '../../model/network.js'
import type { NodePort } from '../../node/port.js'
import type { WalletsPort } from '../../wallets/port.js'

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

export interface RestProbe {
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
export type WasmFile =
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'local'; readonly url: string; readonly size: number | null }
  | { readonly kind: 'given' }

export interface WalletProbe {
  readonly port: WalletsPort
  /** The connected wallet and its network; null while none is connected. */
  readonly connected: () => { readonly name: string; readonly network: string | null } | null
}

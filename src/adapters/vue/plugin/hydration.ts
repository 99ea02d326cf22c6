import type { InjectionKey } from 'vue'
import { type RenderedFailure, fromRendered, toRendered } from '../../../rest/hydration.js'
import { redact } from '../../../errors/redact.js'
import { hashQueryKey, type QueryKey } from '../../../query/options.js'
import type { RenderedResult } from '../../../query/watched-query.js'
import type { RestCache } from '../../../rest/requests/store.js'

/** The result of a query in a server-rendered page: plain data, which may contain bigints. `updatedAt` is Unix ms. */
export type HydrationEntry =
  | { readonly data: unknown; readonly updatedAt: number }
  | { readonly failure: RenderedFailure; readonly updatedAt: number }

/**
 * How a framework that renders on a server brings the results of REST queries to the browser, and the moments at which
 * it is ready. The module for Nuxt has one; without one, `dehydrateRest` and `hydrateRest` do it.
 */
export interface HydrationStore {
  /**
   * The entry for `key`, in a browser. `isHydrating`: whether the calling component adopts the server's markup;
   * otherwise the entry may come from a prerendered page that the app navigates to.
   */
  readonly read: (key: string, isHydrating: boolean) => HydrationEntry | undefined
  /** Stores an entry, on a server. */
  readonly write: (key: string, entry: HydrationEntry) => void
  /** Calls `refetch` whenever the framework refetches the data of the page. Returns the function that ends it. */
  readonly onRefresh: (refetch: () => Promise<void>) => () => void
  /** Calls `start` once the page is hydrated, in a browser: the plugin connects then. */
  readonly onHydrated: (start: () => void) => void
  /** Calls `end` once the response is rendered, or has failed, on a server: the plugin disposes of its engine. */
  readonly onRendered: (end: () => void) => void
}

/** Injection key of the app's hydration store. `Symbol.for` makes it equal across two copies of this module. */
export const HYDRATION: InjectionKey<HydrationStore> = Symbol.for('vue-chain hydration')

/** What identifies a query in a server-rendered page. */
export interface RenderedKey {
  /** Queries of different kinds have different results. */
  readonly kind: string
  readonly queryKey: QueryKey
  /** The base URL in the options of the query; undefined where it is that of the app. */
  readonly baseUrl: string | undefined
}

/** The way of a query's result from the server to the browser. */
export interface Rendering {
  /** The server's result; undefined where there is none. */
  readonly find: (key: RenderedKey, isHydrating: boolean) => RenderedResult<unknown> | undefined
  readonly store: (key: RenderedKey, result: RenderedResult<unknown>) => void
}

/** Results in the store of the framework that renders. */
export const renderingBy = ({ read, write }: HydrationStore): Rendering => ({
  find: (key, isHydrating) => toResult(read(toStoreKey(key), isHydrating)),
  store: (key, result) => write(toStoreKey(key), toEntry(result)),
})

/** The page is public. */
const toStoreKey = ({ baseUrl, ...key }: RenderedKey): string =>
  `vue-chain ${toName(key)}${baseUrl === undefined ? '' : ` ${redact(baseUrl, baseUrl)}`}`

const toEntry = (result: RenderedResult<unknown>): HydrationEntry =>
  'error' in result ? { failure: toRendered(result.error), updatedAt: result.updatedAt } : result

function toResult(entry: HydrationEntry | undefined): RenderedResult<unknown> | undefined {
  if (entry === undefined) return undefined
  const updatedAt = Math.min(entry.updatedAt, Date.now()) // the server's clock may be ahead
  return 'failure' in entry ? { error: fromRendered(entry.failure), updatedAt } : { data: entry.data, updatedAt }
}

/** Results in the REST cache, for `dehydrateRest` and `hydrateRest`. */
export const renderingInCache = (cache: RestCache): Rendering => ({
  find: (key, isHydrating) => (isHydrating ? findCached(cache, toName(key)) : undefined),
  store: (key, result) => storeCached(cache, toName(key), result),
})

function findCached(cache: RestCache, name: string): RenderedResult<unknown> | undefined {
  const data = cache.peek(name)
  if (data !== undefined) return { data: data.kept.value, updatedAt: data.at }
  const failure = cache.peek(toFailureName(name))
  return failure && { error: fromRendered(failure.kept.value as RenderedFailure), updatedAt: failure.at }
}

function storeCached(cache: RestCache, name: string, result: RenderedResult<unknown>): void {
  const entry =
    'error' in result
      ? { key: toFailureName(name), value: toRendered(result.error) }
      : { key: name, value: result.data }
  const kept = { value: entry.value, fresh: 0, limit: Infinity, revalidate: 0 }
  cache.put([{ key: entry.key, kept, at: result.updatedAt }])
}

const toName = ({ kind, queryKey }: Omit<RenderedKey, 'baseUrl'>): string => `query ${kind} ${hashQueryKey(queryKey)}`
const toFailureName = (name: string): string => `failed ${name}`

import type { InjectionKey } from 'vue'
import type { RenderedFailure } from '../../../rest/hydration.js'

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

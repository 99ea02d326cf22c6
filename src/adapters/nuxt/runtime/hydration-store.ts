import type { NuxtApp } from '#imports'
import type { HydrationEntry, HydrationStore } from 'vue-chain'

/**
 * Nuxt's payload as the way of REST results to the browser. Prerendered pages that the app navigates to bring theirs in
 * `static`. The engine connects at `app:suspense:resolve`: at `app:mounted` awaited components are not hydrated yet.
 */
export const createHydrationStore = (nuxtApp: NuxtApp): HydrationStore => ({
  read(key, isHydrating) {
    const source = isHydrating || nuxtApp.isHydrating ? nuxtApp.payload : nuxtApp.static
    return source.data[key] as HydrationEntry | undefined // written below, on the server
  },
  write(key, entry) {
    nuxtApp.payload.data[key] = entry
  },
  /** `refreshNuxtData` with keys names data of `useAsyncData`. */
  onRefresh: (refetch) => nuxtApp.hook('app:data:refresh', (keys) => (keys === undefined ? refetch() : undefined)),
  onHydrated: (start) => nuxtApp.hooks.hookOnce('app:suspense:resolve', start),
  onRendered(end) {
    nuxtApp.hooks.hookOnce('app:rendered', end)
    nuxtApp.ssrContext?.event.node?.res.once('close', end) // where rendering failed
  },
})

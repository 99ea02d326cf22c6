/** Installs the plugin in Nuxt's Vue app. Shipped as a file of its own, because only Nuxt resolves its imports. */

import { appOptions, sdk } from '#build/vue-chain.options.mjs'
import { defineNuxtPlugin, useRuntimeConfig, type NuxtApp } from '#imports'
import { VueChain, type HydrationEntry, type HydrationStore } from 'vue-chain'
import { readOptions } from './options.js'

export default defineNuxtPlugin({
  name: 'vue-chain',
  setup(nuxtApp) {
    const config = useRuntimeConfig()
    const chain = nuxtApp.ssrContext && config.chain // private: in a browser Nuxt warns of it
    const options = readOptions({ public: config.public, chain })
    const { rest, ...ofApp } = appOptions
    nuxtApp.vueApp.use(VueChain, {
      ...options,
      sdk,
      ...ofApp,
      rest: { ...options.rest, ...rest },
      hydration: createHydrationStore(nuxtApp),
    })
  },
})

/**
 * Nuxt's payload as the way of REST results to the browser. Prerendered pages that the app navigates to bring theirs in
 * `static`. The engine connects at `app:suspense:resolve`: at `app:mounted` awaited components are not hydrated yet.
 */
const createHydrationStore = (nuxtApp: NuxtApp): HydrationStore => ({
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

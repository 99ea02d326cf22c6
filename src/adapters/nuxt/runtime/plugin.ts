/** Installs the plugin in Nuxt's Vue app. Shipped as a file of its own, because only Nuxt resolves its imports. */
import { appOptions, sdk } from '#build/vue-chain.options.mjs'
import { defineNuxtPlugin, useRuntimeConfig } from '#imports'
import { VueChain } from 'vue-chain'
import { createHydrationStore } from './hydration-store.js'
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

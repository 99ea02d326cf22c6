import { defineNuxtModule } from '@nuxt/kit'
import { createDevnode } from 'vue-chain/devnode'

/** Starts a local Kaspa network with `npm run dev`, and ends it with the server. */
export default defineNuxtModule({
  meta: { name: 'devnode' },
  async setup(_options, nuxt) {
    if (!nuxt.options.dev) return
    const devnode = await createDevnode()
    const { engineOptions, accounts } = devnode
    const config = nuxt.options.runtimeConfig.public
    Object.assign(config.chain, engineOptions)
    config.devnode = { account: accounts[0], recipient: accounts[1]?.address }
    nuxt.hook('close', () => devnode.close())
  },
})

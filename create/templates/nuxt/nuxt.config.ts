export default defineNuxtConfig({
  modules: ['vue-chain/nuxt'],
  // Where a build connects. With `npm run dev`, modules/devnode.ts changes it to the local devnode.
  chain: { network: 'testnet-10', sdk: 'light', css: true },
  css: ['vue-chain/requests.css', '~/assets/style.css'],
  typescript: { strict: true, tsConfig: { include: ['../test/**/*'] } },
  compatibilityDate: '2026-01-01',
})

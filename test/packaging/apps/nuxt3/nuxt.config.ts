export default defineNuxtConfig({
  modules: ['vue-chain/nuxt'],
  chain: { network: 'simnet', css: true, reconnect: { maxRetries: Infinity }, rest: { timeout: 120_000 } },
  srcDir: 'app/', // as of Nuxt 4
  telemetry: false,
  compatibilityDate: '2026-01-01',
})

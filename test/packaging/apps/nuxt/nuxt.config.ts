export default defineNuxtConfig({
  modules: ['vue-chain/nuxt'],
  chain: process.env.FIXTURE_CHAIN
    ? JSON.parse(process.env.FIXTURE_CHAIN)
    : { network: 'simnet', css: true, reconnect: { maxRetries: Infinity }, rest: { timeout: 120_000 } },
  telemetry: false,
  experimental: { payloadExtraction: process.env.FIXTURE_STATIC === undefined },
  compatibilityDate: '2026-01-01',
})

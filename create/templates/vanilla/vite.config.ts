import { defineConfig } from 'vitest/config'
import { devnode } from './devnode.ts'

export default defineConfig({
  plugins: [devnode()],
  define: { __VUE_CHAIN_WASM__: 'false' }, // keys by vue-chain/light: no WASM file in the build
  test: { environment: 'happy-dom', testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } },
})

import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vitest/config'

/** Components are tested without Nuxt: those with a test import what they use by name. */
export default defineConfig({
  plugins: [vue()],
  test: { environment: 'happy-dom', testTimeout: 30_000, expect: { poll: { timeout: 10_000 } } },
})

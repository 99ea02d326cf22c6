import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Runs the failing test of this folder, with what `npm test` adds to failures. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['failing.ts'],
    setupFiles: resolve(import.meta.dirname, '../failures.ts'),
  },
})

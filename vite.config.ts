import { defineConfig } from 'vitest/config'

/** Everything that a user's own bundler or Node resolves: peers, dependencies, Node itself and the converted SDK. */
const external = [/^(vue|rxjs)(\/|$)/, /^@(vueuse|noble|tanstack)\//, /^(ws|isomorphic-ws)$/, /^node:/, /^#sdk(\/|$)/]

export default defineConfig({
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: {
        index: 'src/index.ts',
        streams: 'src/streams/index.ts',
        devnode: 'src/devnode/index.ts',
        'devnode-cli': 'src/devnode/cli.ts',
      },
      formats: ['es'],
    },
    rolldownOptions: { external, output: { chunkFileNames: 'chunks/[name]-[hash].js' } },
  },
  test: {
    server: { deps: { external: [/\/dist\/sdk\//] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/contract/node/**', 'test/browser/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/contract/node/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})

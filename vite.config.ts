import { resolve } from 'node:path'
import { transformSync } from 'esbuild'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import manifest from './package.json' with { type: 'json' }
import { distLayout, ENTRIES_FOR_APPS, importsByCondition } from './scripts/dist-layout.mjs'
import { keepWorkers } from './scripts/keep-workers.mjs'
import { FULL } from './test/full.js'
import { LIMIT, POLL_LIMIT } from './test/limits.js'
import { ALL } from './test/packaging/support/chosen.js'
import { retries } from './test/setup/retries.js'
import { ByEnvironment } from './test/setup/by-environment.js'

/**
 * Left to the user's bundler or Node: peers, dependencies, built-ins, the converted SDK and what Nuxt provides (`#…`),
 * and the library itself where it names its own package.
 */
const packages = [manifest.name, ...Object.keys(manifest.peerDependencies), ...Object.keys(manifest.dependencies)]
const external = (id: string): boolean =>
  /^(node:|#)/.test(id) || packages.some((name) => id === name || id.startsWith(`${name}/`))

const source = (file: string): string => resolve(import.meta.dirname, 'src', file)

/** The files of dist and their sources. */
const ENTRIES = {
  index: 'src/index.ts',
  light: 'src/light/index.ts',
  ledger: 'src/ledger/index.ts',
  core: 'src/engine/index.ts',
  rest: 'src/rest/index.ts',
  contracts: 'src/contracts/index.ts',
  'contracts/vue': 'src/adapters/vue/contracts/index.ts',
  cosigning: 'src/cosigning/index.ts',
  'cosigning/vue': 'src/adapters/vue/cosigning/index.ts',
  requests: 'src/adapters/vue/requests/index.ts',
  streams: 'src/streams/index.ts',
  devnode: 'src/devnode/index.ts',
  'devnode/memory': 'src/devnode/memory/index.ts',
  'devnode-cli': 'src/devnode/cli.ts',
  cli: 'src/cli/main.ts',
  testing: 'src/testing/index.ts',
  'testing-vue': 'src/adapters/vue/testing/index.ts',
  feed: 'src/feed/index.ts',
  'feed/consumer': 'src/feed/consumer/index.ts',
  'feed/webhook': 'src/feed/webhook/index.ts',
  payouts: 'src/payouts/index.ts',
  'payouts/testing': 'src/payouts/testing/index.ts',
  x402: 'src/x402/index.ts',
  devtools: 'src/adapters/vue/devtools/attach.ts',
  'devtools-off': 'src/adapters/vue/devtools/production.ts',
  recorder: 'src/engine/automatic-recorder/development.ts',
  'recorder-off': 'src/engine/automatic-recorder/production.ts',
  'nuxt/module': 'src/adapters/nuxt/module.ts',
  'nuxt/runtime/plugin': 'src/adapters/nuxt/runtime/plugin.ts', // built by Nuxt with the app
  'nuxt/runtime/devtools': 'src/adapters/nuxt/runtime/devtools.ts',
  'nuxt/runtime/server': 'src/adapters/nuxt/runtime/server.ts',
  'chunks/sign-worker': 'src/sdk/light/sign-worker.ts', // beside the chunk that opens it
}

/** The sources of the entries that apps import, or of the other ones. */
const sourcesOf = (forApps: boolean): string[] =>
  Object.entries(ENTRIES).flatMap(([name, file]) =>
    ENTRIES_FOR_APPS.includes(`${name}.js`) === forApps ? resolve(import.meta.dirname, file) : [],
  )

/** The package's imports `#…` of what is for development only, by the stand-in of the source. */
const BY_CONDITION = { '/devtools/production.js': '#devtools', '/automatic-recorder/production.js': '#recorder' }

/**
 * The built library leaves the choice between these parts and their stand-ins to the condition `development` of the
 * app's bundler.
 */
const developmentByCondition: Plugin = {
  name: 'development-by-condition',
  apply: 'build',
  enforce: 'pre',
  resolveId(id, importer) {
    const [, found] = Object.entries(BY_CONDITION).find(([standIn]) => id.endsWith(standIn)) ?? []
    return found === undefined || importer === undefined ? null : { id: found, external: true }
  },
  // esbuild inlines constants of other modules, but no variables
  renderChunk: (code, { name }) =>
    name.endsWith('-off') ? { code: code.replace(/^var (?=\w+ = false)/m, 'const '), map: null } : null,
}

/** DevTools clone values by code that names Node's Buffer: it throws in browsers, and Parcel adds a package for it. */
const devtoolsWithoutBuffer: Plugin = {
  name: 'devtools-without-buffer',
  apply: 'build',
  transform: (code, id) =>
    id.includes('/@vue/devtools-shared/')
      ? { code: code.replaceAll('if (cur instanceof Buffer) return Buffer.from(cur);', ''), map: null }
      : null,
}

/** Most of it is a package for DevTools, which no app debugs: minified, half as large. */
const minifiedDevtools: Plugin = {
  name: 'minified-devtools',
  apply: 'build',
  renderChunk: (code, { name, isEntry }) =>
    isEntry && name === 'devtools'
      ? { code: transformSync(code, { minify: true, format: 'esm' }).code, map: null }
      : null,
}

/** The project `contract`: tests of processes of their own, and of what `npm run build` wrote. */
const AFTER_BUILD = [
  'test/contract/{node,rest}/**/*.test.ts',
  'test/contract/api.test.ts',
  'test/{docs,packed}.test.ts',
]

/** Fixtures of minutes, for `npm run test:packaging`. */
const LEFT_TO_PACKAGING = [
  'create',
  'examples',
  'extension',
  'hydration',
  'managers',
  'npx-feed',
  'nuxt-releases',
  'pages',
  'quasar',
  'types',
  'workspace',
].map((name) => `test/packaging/${name}.test.ts`)
/** Browser and process tests for `npm run test:full`. */
const LEFT_TO_FULL = ['feed-compose', 'preload', 'tab-browsers', 'tab-faults', 'treasury'].map(
  (name) => `test/e2e/${name}.test.ts`,
)
/** Packaging tests for `npm run test:full` and `npm run test:packaging`. */
const PACKAGING_LEFT_TO_FULL = ['nuxt', 'release'].map((name) => `test/packaging/${name}.test.ts`)

/**
 * Flags of the processes that run tests. As many of them as cores compute at the same time, so that threads of the
 * garbage collector would only take turns with them; and what a test makes lives shortly: a fifth of the processor time
 * of unit tests was spent on collecting.
 */
const FLAGS_OF_TESTS = ['--single-threaded-gc', '--max-semi-space-size=64']

/** The folder of an entry below src/. */
const folderOf = (entry: string): string =>
  entry.replace(/^\/(contracts|cosigning)\/vue/, 'adapters/vue/$1').replace('/requests', 'adapters/vue/requests')

export default defineConfig({
  plugins: [keepWorkers(), developmentByCondition, devtoolsWithoutBuffer, minifiedDevtools, importsByCondition()],
  build: {
    target: 'es2022',
    sourcemap: false, // functions have the names of the source: maps were a fifth of the package
    minify: false,
    lib: {
      entry: ENTRIES,
      formats: ['es'],
    },
    rolldownOptions: {
      external,
      // Rolldown wants it for files per module; tests hold the exported names
      preserveEntrySignatures: 'allow-extension',
      output: distLayout(source(''), sourcesOf(true), sourcesOf(false)),
    },
  },
  test: {
    sequence: { sequencer: ByEnvironment },
    execArgv: FLAGS_OF_TESTS,
    server: { deps: { external: [/\/dist\/sdk\//] } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // the demo and the files that Nuxt builds import the library by its name
          alias: [
            '',
            '/streams',
            '/rest',
            '/light',
            '/contracts',
            '/contracts/vue',
            '/cosigning',
            '/cosigning/vue',
            '/requests',
          ].map((entry) => ({
            find: new RegExp(`^vue-chain${entry}$`),
            replacement: source(`${folderOf(entry)}/index.ts`.replace(/^\//, '')),
          })),
          isolate: false, // one module graph per worker: half the processor time; no test replaces a module
          include: ['test/**/*.test.ts'],
          exclude: ['test/e2e/**', 'test/packaging/**', 'test/site/**', ...AFTER_BUILD],
          globalSetup: 'test/setup/sdk.ts',
          setupFiles: [
            'test/setup/seed.ts',
            'test/setup/restored.ts',
            'test/setup/failures.ts',
            'test/setup/processor-time.ts',
          ],
          retry: retries(1),
          expect: { poll: { timeout: POLL_LIMIT } },
          testTimeout: LIMIT,
          hookTimeout: LIMIT,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          isolate: false, // one module graph per worker, as for unit tests
          setupFiles: ['test/setup/failures.ts', 'test/setup/processor-time.ts'],
          include: AFTER_BUILD,
          retry: retries(1),
          expect: { poll: { timeout: POLL_LIMIT } },
          testTimeout: LIMIT,
          hookTimeout: LIMIT,
        },
      },
      {
        extends: true,
        test: {
          name: 'packaging',
          setupFiles: ['test/setup/failures.ts', 'test/setup/processor-time.ts'],
          include: ['test/packaging/*.test.ts'],
          exclude: ALL ? [] : [...LEFT_TO_PACKAGING, ...(FULL ? [] : PACKAGING_LEFT_TO_FULL)],
          globalSetup: 'test/packaging/setup.ts',
          retry: retries(2),
          expect: { poll: { timeout: POLL_LIMIT } },
          testTimeout: LIMIT,
          hookTimeout: 600_000, // builds of whole apps
        },
      },
      {
        extends: true,
        test: {
          name: 'site',
          setupFiles: ['test/setup/failures.ts', 'test/setup/processor-time.ts'],
          include: ['test/site/**/*.test.ts'],
          expect: { poll: { timeout: POLL_LIMIT } },
          testTimeout: LIMIT,
          hookTimeout: LIMIT,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          setupFiles: ['test/setup/failures.ts', 'test/setup/processor-time.ts'],
          include: ['test/e2e/**/*.test.ts'],
          exclude: FULL ? [] : LEFT_TO_FULL,
          isolate: false, // each file has its own pages and its own demo; a worker's files share its Chromium
          globalSetup: 'test/e2e/global-setup.ts',
          retry: retries(2),
          expect: { poll: { timeout: POLL_LIMIT } },
          testTimeout: LIMIT,
          hookTimeout: LIMIT,
        },
      },
    ],
  },
})

/** What `npx knip` reads: the entries, the files of the project, and how code that is loaded on demand is imported. */
const config = {
  entry: [
    'bench/*.ts',
    'scripts/*.mjs',
    'scripts/sdk/*.{js,mjs}',
    'examples/*/main.js',
    'test/**/*.test.ts',
    'src/browser/index.ts',
    'test/setup/**/*.ts',
    'test/real-node/*.{scenario,config}.ts',
    'test/e2e/light-engine.ts',
    'test/e2e/playground-frame.ts',
    'src/streams/acceptance/resumed-batches.ts',
    'src/engine/open-account.ts',
    'src/engine/open-transactions.ts',
    'src/engine/seen-payments.ts',
    'src/streams/session/requested-entries.ts',
    'test/leaks/leaks.ts',
    'test/cosigning/{crate-differential,other-signers}.ts',
    'test/model/contracts/kcc-{vectors,rejections}.ts',
    'test/model/tokens/{reference-vectors,observed-calls}.ts',
    'test/soak/{soak,service-process}.ts',
    'test/feed/payments/support/worker.ts',
    'test/payouts/support/worker.ts',
    'src/cli/mcp/stdio.ts',
    'src/contracts/following.ts',
    'src/engine/shared-connection/open-shared-port.ts',
    'src/engine/shared-connection/shared-worker.ts',
    'src/streams/chain/contract-details.ts',
    'demo/src/vue.d.ts',
    'create/src/main.mjs',
    'test/script/differential/*.ts',
  ],
  project: [
    'src/**/*.ts',
    'test/**/*.ts',
    'bench/**/*.ts',
    'scripts/**/*.{mjs,js}',
    'demo/src/**/*.{ts,vue}',
    'create/src/**/*.{ts,mjs}',
  ],
  ignore: ['test/packaging/apps/**'],
  paths: {
    '#imports': ['src/adapters/nuxt/runtime/nuxt.d.ts'],
    '#build/vue-chain.options.mjs': ['src/adapters/nuxt/runtime/nuxt.d.ts'],
  },
  ignoreDependencies: ['@clack/prompts', '@arethetypeswrong/cli', 'publint', '@nats-io/nats-core'],
  ignoreBinaries: ['mkfifo', 'openssl', 'prlimit', 'Xvfb', 'WebKitWebDriver'], // of the system, in tests
  ignoreIssues: { 'src/contracts/planning.ts': ['exports'] }, // for the chunk that is made of it
  rules: {
    types: 'off',
    exports: 'error',
    files: 'error',
    dependencies: 'error',
    optionalPeerDependencies: 'off',
  },
  ignoreExportsUsedInFile: true,
}

/** `loadCode(() => import('./part.js'))` as the import() in it, whose destructured names knip follows. */
const withoutLoadCode = (text) => text.replace(/loadCode\(\s*\(\) => (import\([^)]*\)),?\s*\)/g, '$1')

export default { ...config, compilers: { ts: withoutLoadCode } }

/**
 * The direction of imports, as data: a module imports lower layers and its own files, never a neighbour.
 * Read by the lint rule (eslint.config.js) and by test/contract/layers.test.ts.
 */

/**
 * The modules of each layer, lowest layer first. The longest matching path decides: `sdk/port.ts` (`sdk/`) lies below
 * `sdk/wasm/`.
 */
const LAYERS = [
  ['errors/'],
  ['model/', 'loading/', 'platform/node-process.ts'],
  ['node/', 'sdk/', 'wallets/port.ts', 'platform/port.ts', 'sql/', 'script/'],
  [
    'streams/',
    'operations/',
    'query/',
    'rest/',
    'wrpc/',
    'sdk/wasm/',
    'sdk/light/',
    'sdk/ledger/',
    'wallets/',
    'platform/',
  ],
  ['engine/', 'devnode/'],
  ['adapters/vue/', 'testing/', 'feed/', 'payouts/', 'contracts/', 'cosigning/', 'x402/', 'devnode/memory/'],
  ['adapters/nuxt/', 'adapters/vue/contracts/', 'adapters/vue/cosigning/', 'adapters/vue/testing/', 'cli/'],
]

/** All modules. */
export const MODULES = LAYERS.flat()

/** Entry points only re-export and belong to no layer; no module imports through one. */
const ENTRY_POINTS = [
  'adapters/vue/contracts/index.ts',
  'adapters/vue/cosigning/index.ts',
  'adapters/vue/requests/index.ts',
  'adapters/vue/testing/index.ts',
  'browser/index.ts',
  'devnode/memory/index.ts',
  'contracts/index.ts',
  'cosigning/index.ts',
  'engine/index.ts',
  'feed/consumer/index.ts',
  'feed/webhook/index.ts',
  'feed/index.ts',
  'index.ts',
  'ledger/index.ts',
  'light/index.ts',
  'payouts/index.ts',
  'payouts/testing/index.ts',
  'rest/index.ts',
  'streams/index.ts',
  'testing/index.ts',
  'x402/index.ts',
]

/** Imports allowed within a layer or upwards: devnode's server shares the codec with the client. */
const EXCEPTIONS = [['devnode/', 'wrpc/']]

/**
 * The modules that may import a package; no other module may. `sdk/light` opens threads of Node by
 * `process.getBuiltinModule`, which is no import: bundlers for browsers must not find `node:worker_threads` there.
 */
const PACKAGES = [
  { package: /^(vue|@vueuse\/rxjs|@vue\/.*)$/, modules: ['adapters/'] },
  {
    package: /^node:|^ws$/,
    modules: ['devnode/', 'feed/', 'sql/', 'cli/', 'platform/node.ts', 'wrpc/socket.ts', 'adapters/nuxt/'],
    except: ['devnode/memory/', 'feed/consumer/', 'feed/webhook/'],
  },
  { package: /^(@nuxt\/.*|#imports|#build\/.*)$/, modules: ['adapters/nuxt/'] },
  // Nuxt builds the runtime files as part of the app, which imports the library by its name: a relative import would be
  // a copy.
  { package: /^vue-chain(\/(streams|light))?$/, modules: ['adapters/nuxt/'] },
  { package: /^(pg|@electric-sql\/.*|@nats-io\/.*)$/, modules: ['feed/', 'sql/', 'cli/'] },
  { package: /^(@modelcontextprotocol\/.*|minisearch)$/, modules: ['cli/mcp/'] },
  { package: /^@x402\/.*$/, modules: ['x402/'] },
  { package: /^@ledgerhq\/.*$/, modules: ['sdk/ledger/'] },
  { package: /^isomorphic-ws$/, modules: ['platform/node.ts', 'wrpc/socket.ts'] },
]

const isIn = (path, module) => (module.endsWith('/') ? path.startsWith(module) : path === module)

/** The module of a file (its path below src/) and the module's layer; undefined for entry points. */
export function moduleOf(path) {
  if (ENTRY_POINTS.includes(path)) return undefined
  const found = LAYERS.flatMap((modules, layer) => modules.map((module) => ({ module, layer }))).filter(({ module }) =>
    isIn(path, module),
  )
  return found.sort((a, b) => b.module.length - a.module.length)[0]
}

/** The reason why a file (path below src/) may not import another one; undefined where it may. */
export function forbiddenImport(from, to) {
  const source = moduleOf(from)
  if (source === undefined) return undefined
  if (ENTRY_POINTS.includes(to)) return `${from} imports through the entry point ${to}; import the defining file`
  const target = moduleOf(to)
  if (target === undefined) return `${to} belongs to no module of scripts/layers.mjs`
  if (target.module === source.module || target.layer < source.layer) {
    return source.module === 'devnode/' && /^(streams|operations|rest|sdk|wallets|platform)\//.test(to)
      ? `devnode shares only codec, messages and model with the client: it must not import ${to}`
      : undefined
  }
  if (EXCEPTIONS.some(([a, b]) => isIn(from, a) && isIn(to, b))) return undefined
  return `imports run to lower layers: ${source.module} (layer ${source.layer}) may not import ${target.module} (layer ${target.layer})`
}

/** The reason why a file may not import a package; undefined where it may. */
export function forbiddenPackage(from, name) {
  const rule = PACKAGES.find((candidate) => candidate.package.test(name))
  if (rule === undefined || ENTRY_POINTS.includes(from)) return undefined
  const isAmong = (modules = []) => modules.some((module) => isIn(from, module))
  if (isAmong(rule.modules) && !isAmong(rule.except)) return undefined
  return `${name} may be imported only in ${rule.modules.join(', ')}`
}

/**
 * `npm run size`: what an app bundles of this library, as a table per export, in kB of 1,000 bytes, each chunk gzipped
 * on its own. "At once" is what an import loads before its first line runs; "with all later parts" adds every chunk
 * that is fetched by a dynamic import. Goals and guards apply to what is loaded at once, except where the row says
 * "all". Outside are vue, rxjs and #sdk; every other dependency is counted. Fails where a guard is exceeded, a bare
 * import is not empty, or devnode, testing or WASM is included. `npm run size -- --parts` ends with the parts of the
 * whole apps; with `--guards` there are no rows per export, of parts of the built package and of services: what an
 * export bundles is part of its entry, which is checked.
 */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { defaultClientConditions } from 'vite'
import { exportedNames } from './exported-names.mjs'
import { bundleSharedWorker } from './keep-workers.mjs'
import { BUNDLERS, builtFile } from './size/built.mjs'
import { bundle, intrudersOf, loadedBut, measure, sizeOfWorkers } from './size/bundle.mjs'
import { partsOf } from './size/parts.mjs'

const ROOT = resolve(import.meta.dirname, '..')
const FILES = {
  'vue-chain': 'src/index.ts',
  'vue-chain/streams': 'src/streams/index.ts',
  'vue-chain/core': 'src/engine/index.ts',
  'vue-chain/light': 'src/light/index.ts',
  'vue-chain/ledger': 'src/ledger/index.ts',
  'vue-chain/rest': 'src/rest/index.ts',
  'vue-chain/contracts': 'src/contracts/index.ts',
  'vue-chain/contracts/vue': 'src/adapters/vue/contracts/index.ts',
  'vue-chain/cosigning': 'src/cosigning/index.ts',
  'vue-chain/cosigning/vue': 'src/adapters/vue/cosigning/index.ts',
  'vue-chain/requests': 'src/adapters/vue/requests/index.ts',
  'vue-chain/devnode': 'src/devnode/index.ts',
  'vue-chain/testing': 'src/testing/index.ts',
  'vue-chain/testing/vue': 'src/adapters/vue/testing/index.ts',
}
/** The entries that apps import. The others are for Node and tests; a bare import of them must be empty too. */
const FOR_APPS = [
  'vue-chain',
  'vue-chain/streams',
  'vue-chain/core',
  'vue-chain/light',
  'vue-chain/rest',
  'vue-chain/contracts',
]

/**
 * Bundled only where they are imported: an app without them carries no byte of the recorder, which every other row
 * checks.
 */
const RECORDER = ['createRecorder', 'toPrometheus']
const RECORDER_MODULES = /\/src\/engine\/recorder\//

/** The entry of contracts: without it there is no byte of them, of their plans included. */
const CONTRACTS = 'vue-chain/contracts'
const CONTRACT_MODULES = /\/src\/(script|([\w/]+\/)?(contracts|tokens))\//

/**
 * Bytes of min + gzip loaded at once, at most, or with all later parts (`part: 'all'`). Without names: the whole entry.
 * Workers, which contain a part again and are loaded for payments of many inputs, count for whole apps only. Where a
 * goal is missed, `limit` keeps the size from growing.
 */
const GUARDS = [
  { what: 'useChainRest alone', entry: 'vue-chain', names: ['useChainRest'], goal: 12_000 },
  { what: 'plugin + useRpc', entry: 'vue-chain', names: ['VueChain', 'useRpc'], goal: 14_500, limit: 18_800 },
  { what: 'all of vue-chain but the recorder', entry: 'vue-chain', without: RECORDER, goal: 46_000, limit: 44_500 },
  {
    what: 'all of vue-chain/streams but the recorder',
    entry: 'vue-chain/streams',
    without: RECORDER,
    goal: 40_000,
    limit: 38_500,
  },
  { what: 'the recorder', entry: 'vue-chain/streams', names: RECORDER, goal: 7_000, limit: 8_200 },
  {
    what: '`defineContract`, hashes and addresses included',
    entry: 'vue-chain/contracts',
    names: ['defineContract'],
    goal: 14_000,
  },
  {
    what: '`light`, the keys without WASM',
    entry: 'vue-chain/light',
    names: ['light'],
    goal: 40_000,
    limit: 40_500,
    part: 'all',
  },
]

/** What an app that pays has anyway beside the codec of contracts and the script machine. */
const SHARED = [
  "export { addressVersionOf, decodeAddress, encodeAddress } from '/src/model/address.ts'",
  "export { ChainError, invalidArgument } from '/src/errors/chain-error.ts'",
  "export { blake2b256 } from '/src/model/hashing.ts'",
  "export { covenantIdOf } from '/src/model/covenant-id.ts'",
  "export { NETWORKS } from '/src/model/network.ts'",
  "export { ecdsaSighash, sighash } from '/src/model/sighash.ts'",
  "export { transactionId } from '/src/model/transaction-id.ts'",
]

/** What a service, or a page, has anyway that pays by a queue. */
const ENGINE = [
  "export { createChainEngine } from '/src/streams/index.ts'",
  "export { light } from '/src/light/index.ts'",
]
const CODEC = "export { defineContract } from '/src/contracts/index.ts'"
const CONTRACT_PLANS = "export { createContracts } from '/src/contracts/index.ts'"
const SCRIPT =
  "export { runInput } from '/src/script/run-input.ts'\nexport { toSpendingContext } from '/src/script/spending.ts'"
const QUEUE = "export { createPayouts } from '/src/payouts/index.ts'"

/**
 * What is added to `SHARED`, or to what it stands `beside`, @noble and @ledgerhq not counted: bytes of min + gzip, at
 * most, with all later parts, or `atOnce`, or without the `seldom` ones. Those `forServices` run in Node, where size
 * costs little: they are left out with `--guards`.
 */
const ADDITIONS = [
  {
    what: 'the codec of contracts, beside what an app that pays has',
    code: CODEC,
    goal: 5_000,
  },
  {
    what: 'the script machine, the same',
    code: SCRIPT,
    goal: 8_000,
  },
  {
    what: 'plans, followers and instances of contracts, beside those two and an engine with `light`',
    beside: [...ENGINE, CODEC, SCRIPT],
    code: CONTRACT_PLANS,
    seldom: /\/src\/operations\/contracts\/recovery/, // calls that are restored, replaced or too late
    goal: 12_000,
    limit: 18_400,
  },
  {
    what: '`createTokens`, beside `createContracts`',
    beside: [...ENGINE, CODEC, SCRIPT, CONTRACT_PLANS],
    code: "export { createTokens } from '/src/contracts/index.ts'",
    goal: 6_000,
  },
  {
    what: '`createCosigning`: accounts, proposals, `toPskb`, beside an engine with `light` and the script machine',
    beside: [...ENGINE, SCRIPT],
    code: "export { createCosigning } from '/src/cosigning/index.ts'",
    goal: 14_000,
    limit: 18_700,
  },
  {
    what: '`createLedgerSigner`, beside an engine with `light`, without the package of Ledger',
    beside: ENGINE,
    code: "export { createLedgerSigner } from '/src/ledger/index.ts'",
    goal: 3_000,
  },
  {
    what: '`createPayouts` and `postgresJournal`, beside an engine with `light`',
    forServices: true,
    beside: ENGINE,
    code: `${QUEUE}\nexport { postgresJournal } from '/src/payouts/index.ts'`,
    atOnce: true,
    goal: 12_000,
  },
  {
    what: '`indexedDbJournal`, beside `createPayouts`',
    forServices: true,
    beside: [...ENGINE, QUEUE],
    code: "export { indexedDbJournal } from '/src/payouts/index.ts'",
    goal: 4_000,
  },
  {
    what: '`createKaspaClient` and `kasSpendControls` of x402, beside an engine with `light`',
    forServices: true,
    beside: ENGINE,
    code: "export { createKaspaClient, kasSpendControls } from '/src/x402/index.ts'",
    goal: 12_000,
  },
  {
    what: 'vue-chain/requests with the QR code, beside all of vue-chain',
    beside: ["export * from '/src/index.ts'"],
    code: "export { ReceivePayment, usePaymentRequest } from '/src/adapters/vue/requests/index.ts'",
    goal: 8_000,
  },
]

/** What an app imports that shows a balance and pays with `light`. */
const PAYING_APP = {
  'vue-chain': ['VueChain', 'useRpc', 'useUtxo', 'useTransaction', 'useCrypto'],
  'vue-chain/light': ['light'],
}

/**
 * Chunks that this app never loads, nor what only they import: the codec of the other encoding, Node's sockets, ECDSA
 * addresses, the option `signer`, the setting `account`, payments restored from storage or that wait for funds,
 * verification before `init()`, and claims, connection and last state of the option `shared`.
 */
const NEVER_LOADED =
  /\/src\/(wrpc\/json|platform\/node|operations\/(cosigning\/check-final-script|transactions\/(sign\/(ecdsa|check-signature|sign-with-signer|signer-limits)|when-funded|account-inputs))|engine\/(verification|claims\/open-tab-claims|shared-connection\/open-shared-port|last-state\/(last-states|forget)))/

/** Whole apps, RxJS included; bytes of everything that they will ever load. */
const APPS = [
  { what: 'an app that pays with `light`, RxJS included, without Vue', peers: /^vue$/, goal: 90_000, limit: 170_700 },
  { what: 'the same with Vue', peers: /^$/, goal: 115_000, limit: 193_900 },
]

/** The option `shared`: what a page loads beside its connection, and the worker, RxJS and both encodings included. */
const SHARED_PAGE = { what: 'the shared connection of a page, beside its own', goal: 6_000 }
const SHARED_WORKER = { what: 'the shared worker', goal: 25_000, limit: 41_000 }

/** Whether only what fails is bundled. */
const GUARDS_ONLY = process.argv.includes('--guards')

const failures = []
const parts = []
const fileOf = (entry) => resolve(ROOT, FILES[entry])
const show = (bytes) => (bytes / 1000).toFixed(1)

/** A re-export of some names of an entry, or of all, as code. */
const take = (entry, names) =>
  `export ${names === undefined ? '*' : `{ ${names.join(', ')} }`} from ${JSON.stringify(fileOf(entry))}`

/** The values that an entry exports; none where the entry does not exist. */
async function exportsOf(entry) {
  if (!existsSync(fileOf(entry))) return []
  const names = await exportedNames(ROOT, [FILES[entry]])
  return names.get(FILES[entry])
}

/** A row of a whole app, built without the WASM SDK as docs/light.md describes. */
async function printApp({ what, peers, ...guard }) {
  const imports = Object.entries(PAYING_APP).map(([entry, names]) => take(entry, names))
  const code = [...imports, "export { createApp, h } from 'vue'"].join('\n')
  const define = { __VUE_CHAIN_WASM__: 'false', 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'false' }
  const output = await bundle(code, { peers, define, conditions: ['es2015', ...defaultClientConditions] })
  for (const id of intrudersOf(output)) failures.push(`${what} includes ${id}`)
  const loaded = loadedBut(output, NEVER_LOADED)
  const { atOnce, all } = measure(loaded)
  const total = all.gzip + sizeOfWorkers(output)
  parts.push([what, partsOf(loaded, sizeOfWorkers(output))])
  const verdict = judge(what, total, { ...guard, part: 'all' })
  console.log(`| ${what} | ${show(atOnce.min)} | ${show(atOnce.gzip)} | ${show(total)} | ${verdict} |`)
  for (const [name, modules] of [
    ['the recorder', RECORDER_MODULES],
    ['contracts', CONTRACT_MODULES],
  ]) {
    const bytes = failWith(modules, name, what, output)
    console.log(`| of which ${name} | ${show(bytes)} | | | 0 ${bytes === 0 ? 'met' : 'exceeded'} |`)
  }
}

async function printRow(what, entry, names, guard) {
  const output = await bundle(take(entry, names))
  const { atOnce, all } = measure(output)
  for (const id of intrudersOf(output)) failures.push(`${what} includes ${id}`)
  if (!RECORDER.some((name) => (names ?? RECORDER).includes(name)))
    failWith(RECORDER_MODULES, 'the recorder', what, output)
  if (entry !== CONTRACTS) failWith(CONTRACT_MODULES, 'contracts', what, output)
  const verdict = guard === undefined ? '' : judge(what, guard.part === 'all' ? all.gzip : atOnce.gzip, guard)
  console.log(`| ${what} | ${show(atOnce.min)} | ${show(atOnce.gzip)} | ${show(all.gzip)} | ${verdict} |`)
}

/** Fails where code of some modules is in a bundle; returns its bytes before minification. */
function failWith(modules, name, what, output) {
  const found = output.flatMap((part) => Object.entries(part.modules ?? {})).filter(([id]) => modules.test(id))
  const bytes = found.reduce((sum, [, { renderedLength }]) => sum + renderedLength, 0)
  if (bytes > 0) failures.push(`${what} includes ${bytes} bytes of ${name}`)
  return bytes
}

/** Bundles by their code: what one row adds stands beside the next. */
const bundles = new Map()

async function bundleOnce(code, peers) {
  if (!bundles.has(code)) bundles.set(code, await bundle(code, { peers }))
  return bundles.get(code)
}

/** Matches no chunk, also none of shared parts, which have no name. */
const NONE = /(?!)/

/** A row of what some code adds. */
async function printAddition({ what, code, beside = SHARED, atOnce = false, seldom = NONE, ...guard }) {
  const peers = /^(vue|rxjs|@noble|@ledgerhq)(\/|$)/
  const output = (...lines) => bundleOnce(lines.join('\n').replaceAll("'/src", `'${ROOT}/src`), peers)
  const [before, after] = [await output(...beside), await output(...beside, code)]
  const usual = after.filter((part) => !seldom.test(part.facadeModuleId ?? ''))
  const part = atOnce ? 'atOnce' : 'all'
  const added = (parts, unit, of = part) => measure(parts)[of][unit] - measure(before)[of][unit]
  const [min, gzip, all] = [added(usual, 'min'), added(usual, 'gzip'), added(after, 'gzip', 'all')]
  console.log(`| ${what} | ${show(min)} | ${show(gzip)} | ${show(all)} | ${judge(what, gzip, guard)} |`)
}

/** Rows of the option `shared`. */
async function printShared() {
  const own = resolve(ROOT, 'src/engine/node-connection.ts')
  const shared = resolve(ROOT, 'src/engine/shared-connection/open-shared-port.ts')
  const sizeOf = async (...files) =>
    measure(await bundle(files.map((file) => `export * from ${JSON.stringify(file)}`).join('\n'))).atOnce
  const [before, after] = [await sizeOf(own), await sizeOf(own, shared)]
  printSize(SHARED_PAGE, after.min - before.min, after.gzip - before.gzip)
  const worker = await bundleSharedWorker()
  printSize(SHARED_WORKER, worker.length, gzipSync(worker, { level: 9 }).length)
}

const printSize = ({ what, ...guard }, min, gzip) =>
  console.log(`| ${what} | ${show(min)} | ${show(gzip)} | ${show(gzip)} | ${judge(what, gzip, guard)} |`)

function judge(what, gzip, { goal, limit = goal, part }) {
  if (gzip > limit) failures.push(`${what}: ${show(gzip)} kB, allowed are ${show(limit)}`)
  const scope = part === 'all' ? ' with all later parts' : ''
  if (gzip <= goal) return `≤ ${show(goal)}${scope} met`
  return `≤ ${show(goal)} missed, ${gzip > limit ? 'exceeds' : 'guarded at'} ${show(limit)}`
}

async function printExports() {
  for (const entry of FOR_APPS) {
    for (const name of exported[entry]) await printRow(`\`${name}\` of ${entry}`, entry, [name])
  }
}

/** The entries of which no guard bundles every export. */
async function printWholeEntries() {
  for (const entry of FOR_APPS.filter((name) => !GUARDS.some((guard) => guard.entry === name && guard.without))) {
    await printRow(`all of ${entry}`, entry, exported[entry])
  }
}

/** What is left of the sources that are imported for their side effects only, without the promise of package.json. */
async function leftOf(entries) {
  const imports = entries.map((entry) => `import ${JSON.stringify(fileOf(entry))}`)
  const output = await bundle(imports.join('\n'), { ignoresPromise: true })
  return output.map(({ code = '' }) => code.trim()).join('')
}

/** Rows of bare imports. Where nothing is left of all in one bundle, nothing is left of each. */
async function printBareImports(entries) {
  const isEmpty = (await leftOf(entries)) === ''
  for (const entry of entries) {
    const left = isEmpty ? '' : await leftOf([entry])
    if (left !== '') failures.push(`A bare import of ${entry} leaves ${left.length} bytes: ${left.slice(0, 200)}`)
    console.log(`| bare import of ${entry} | ${show(left.length)} | | | 0 ${left === '' ? 'met' : 'exceeded'} |`)
  }
}

/** Where the sources use what is for development only. */
const USES = {
  '/adapters/vue/plugin/plugin.ts': /^ *if \(development\).*\n/m,
  '/engine/core.ts': /automaticRecorder \? .* : (?=options)/,
}

/**
 * What a production bundle contains of DevTools and the recorder: the difference to one whose sources do not mention
 * them.
 */
async function printDevtools() {
  const withoutUses = {
    name: 'without-devtools',
    enforce: 'pre',
    transform(code, id) {
      const [, use] = Object.entries(USES).find(([file]) => id.endsWith(file)) ?? []
      if (use === undefined) return null
      if (!use.test(code)) throw new Error(`${id} does not contain ${use}`)
      return code.replace(use, '')
    },
  }
  const code = take('vue-chain', ['VueChain'])
  const [production, without] = await Promise.all([bundle(code), bundle(code, { plugins: [withoutUses] })])
  const bytes = measure(production).all.min - measure(without).all.min
  if (bytes !== 0) failures.push(`DevTools add ${bytes} bytes to a production bundle`)
  console.log(`| Vue DevTools in a production bundle | ${show(bytes)} | | | 0 ${bytes === 0 ? 'met' : 'exceeded'} |`)
}

/** What apps load at once of the built package, by bundler: at first parts of the last ones. */
const BUILT = [
  ['`kaspaToSompi`', { 'vue-chain': ['kaspaToSompi'] }],
  ['`useChainRest`', { 'vue-chain': ['useChainRest'] }],
  ['plugin + useRpc', { 'vue-chain': ['VueChain', 'useRpc'] }],
  ['`ConnectWallet`', { 'vue-chain': ['ConnectWallet'] }],
  ['an app that pays with `light`', PAYING_APP],
  ['all of vue-chain but the recorder', { 'vue-chain': null }],
  ['all of vue-chain/streams but the recorder', { 'vue-chain/streams': null }],
]

/** With `--guards`: an app of all modules of those rows. What it does not contain, none of them does. */
const BUILT_WHOLE = [['all of them', { 'vue-chain': null, 'vue-chain/streams': null, 'vue-chain/light': null }]]

/**
 * A table of what bundlers make of the built package; none of them may contain anything of DevTools and the recorder.
 */
async function printBuilt(exported) {
  const names = Object.keys(BUNDLERS)
  console.log(
    `\n| built package, at once: min + gzip, kB | ${names.join(' | ')} |\n| --- |${' --- |'.repeat(names.length)}`,
  )
  for (const [what, imports] of GUARDS_ONLY ? BUILT_WHOLE : BUILT) {
    const named = new Set(RECORDER) // an app imports a name once
    const lines = Object.entries(imports).map(([entry, given]) => {
      const taken = given ?? exported[entry].filter((name) => !named.has(name) && named.add(name))
      return `export { ${taken.join(', ')} } from ${JSON.stringify(builtFile(entry))}`
    })
    const results = await Promise.all(names.map((name) => BUNDLERS[name](lines.join('\n'), [])))
    for (const [index, { development }] of results.entries())
      if (development > 0) failures.push(`${what} by ${names[index]} contains ${development} bytes of development`)
    console.log(`| ${what} | ${results.map(({ atOnce }) => show(atOnce)).join(' | ')} |`)
    if (GUARDS_ONLY || imports === PAYING_APP) await printDevelopment(lines.join('\n'), names, results)
  }
}

/**
 * The bytes of DevTools and recorder in an app, and in the same with the condition `development`, where there must be
 * some.
 */
async function printDevelopment(code, names, results) {
  const others = await Promise.all(names.map((name) => BUNDLERS[name](code, ['development'])))
  for (const [index, { development }] of others.entries())
    if (development === 0)
      failures.push(`${names[index]} finds nothing of DevTools under the condition \`development\``)
  const cells = results.map(({ development }, index) => `${show(development)} (${show(others[index].development)})`)
  console.log(`| of which DevTools and recorder (in development), not gzipped | ${cells.join(' | ')} |`)
}

console.log(
  '| export | at once: min, kB | at once: min + gzip, kB | with all later parts: min + gzip, kB | goal for at once |\n' +
    '| --- | --- | --- | --- | --- |',
)
const exported = Object.fromEntries(await Promise.all(FOR_APPS.map(async (entry) => [entry, await exportsOf(entry)])))
for (const { what, entry, names: given, without, ...guard } of GUARDS) {
  const names = without === undefined ? given : exported[entry].filter((name) => !without.includes(name))
  const isThere = exported[entry].length > 0 && (names ?? []).every((name) => exported[entry].includes(name))
  if (isThere) await printRow(what, entry, names, guard)
  else console.log(`| ${what} | | | | skipped, not built |`)
}
for (const addition of ADDITIONS.filter(({ forServices }) => !(GUARDS_ONLY && forServices)))
  await printAddition(addition)
await printShared()
for (const app of APPS) await printApp(app)
if (GUARDS_ONLY) await printWholeEntries()
else await printExports()
await printBareImports(Object.keys(FILES).filter((name) => existsSync(fileOf(name))))

await printDevtools()
if (existsSync(builtFile('vue-chain'))) await printBuilt(exported)
else console.log('\nThe package is not built: its bundles are not measured.')

if (process.argv.includes('--parts')) {
  for (const [what, sizes] of parts) {
    console.log(`\n| part of ${what} | min + gzip, kB |\n| --- | --- |`)
    for (const [part, bytes] of sizes) console.log(`| ${part} | ${show(bytes)} |`)
  }
}

for (const failure of failures) console.error(failure)
process.exitCode = failures.length === 0 ? 0 : 1

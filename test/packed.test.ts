import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportedNames } from '../scripts/exported-names.mjs'
import { FULL } from './full.js'
import { packLibrary } from './packed-library.js'

const ROOT = resolve(import.meta.dirname, '..')

interface Manifest {
  readonly name: string
  readonly dependencies: Record<string, string>
  readonly peerDependencies: Record<string, string>
  readonly exports: Record<string, Targets>
  readonly imports: Record<string, Targets>
}

/** The files of a name by condition. */
interface Targets {
  readonly node?: string
  readonly default: string
}

/** The entries for Node, each with its source. */
const ENTRIES = [
  ['vue-chain', 'src/index.ts'],
  ['vue-chain/streams', 'src/streams/index.ts'],
  ['vue-chain/light', 'src/light/index.ts'],
  ['vue-chain/ledger', 'src/ledger/index.ts'],
  ['vue-chain/rest', 'src/rest/index.ts'],
  ['vue-chain/core', 'src/engine/index.ts'],
  ['vue-chain/contracts', 'src/contracts/index.ts'],
  ['vue-chain/contracts/vue', 'src/adapters/vue/contracts/index.ts'],
  ['vue-chain/cosigning', 'src/cosigning/index.ts'],
  ['vue-chain/cosigning/vue', 'src/adapters/vue/cosigning/index.ts'],
  ['vue-chain/requests', 'src/adapters/vue/requests/index.ts'],
  ['vue-chain/devnode', 'src/devnode/index.ts'],
  ['vue-chain/devnode/memory', 'src/devnode/memory/index.ts'],
  ['vue-chain/testing', 'src/testing/index.ts'],
  ['vue-chain/testing/vue', 'src/adapters/vue/testing/index.ts'],
  ['vue-chain/feed', 'src/feed/index.ts'],
  ['vue-chain/feed/consumer', 'src/feed/consumer/index.ts'],
  ['vue-chain/feed/webhook', 'src/feed/webhook/index.ts'],
  ['vue-chain/payouts', 'src/payouts/index.ts'],
  ['vue-chain/payouts/testing', 'src/payouts/testing/index.ts'],
  ['vue-chain/x402', 'src/x402/index.ts'],
] as const

/** Folder of a project with the packed library installed. */
let project: string

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'vue-chain-packed-'))
  const installed = join(project, 'node_modules')
  mkdirSync(installed)
  run('tar', ['-xzf', packLibrary(project), '-C', installed])
  run('mv', [join(installed, 'package'), join(installed, 'vue-chain')])
  const manifest = JSON.parse(readFileSync(join(installed, 'vue-chain/package.json'), 'utf8')) as Manifest
  const needed = [
    '@types/node',
    'undici-types',
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
  ]
  for (const name of needed) {
    mkdirSync(dirname(join(installed, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(installed, name))
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
})

afterAll(() => rmSync(project, { recursive: true, force: true }))

/** By entry. */
type Names = Readonly<Record<string, readonly string[]>>

/** The names that each entry exports: those of the package, and those of its source. */
let exported: { readonly packed: Names; readonly source: Names } | undefined

const readExports = async () => ({ packed: exportsOfPackage(), source: await exportsOfSources() })

/** Found without running them: all modules of the library would be transformed. */
async function exportsOfSources(): Promise<Names> {
  const names = await exportedNames(
    ROOT,
    ENTRIES.map(([, source]) => source),
  )
  return Object.fromEntries(ENTRIES.map(([entry, source]) => [entry, names.get(source) ?? []]))
}

/** Read by one process: each starts in half a second. */
function exportsOfPackage(): Names {
  const code = `
    const names = {}
    for (const entry of ${JSON.stringify(ENTRIES.map(([entry]) => entry))}) names[entry] = Object.keys(await import(entry))
    console.log(JSON.stringify(names))`
  return JSON.parse(run(process.execPath, ['--input-type=module', '-e', code])) as Names
}

function run(command: string, args: readonly string[], cwd = project): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Errors of the compiler in the bot, a program of Node, and in the declarations of the library that it imports. */
function errorsOfBot(file: string): readonly string[] {
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    lib: ['lib.es2022.d.ts'],
    types: ['node'],
  }
  const host = { ...ts.createCompilerHost(options), getCurrentDirectory: () => project }
  const program = ts.createProgram([join(project, file)], options, host)
  const ours = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName === join(project, file) || fileName.includes('/node_modules/vue-chain/'))
  expect(ours.length).toBeGreaterThan(2)
  const found = [...program.getOptionsDiagnostics(), ...ours.flatMap((one) => program.getSemanticDiagnostics(one))]
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

describe('the packed library', () => {
  it('pays over a devnode in Node, loads its WASM from the package, and lets the process exit', () => {
    writeFileSync(
      join(project, 'pay.js'),
      `
      import { createDevnode } from 'vue-chain/devnode'
      import { createChainEngine } from 'vue-chain/streams'
      const devnode = await createDevnode({ blockInterval: 0 })
      const engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
      await engine.connection.connect()
      await engine.wasm.init()
      const [from, to] = devnode.accounts
      const { transactionIds } = await engine.transactions.send({
        entries: await engine.rpc.getUtxosByAddresses([from.address]),
        outputs: [{ address: to.address, amount: 1_250_000_000n }],
        changeAddress: from.address,
        privateKeys: [from.privateKeyHex],
      })
      await devnode.mine(2)
      const { balance } = await engine.rpc.getBalanceByAddress(to.address)
      console.log(transactionIds.length, balance, engine.keys.generateMnemonic(12).wordCount)
      await engine.dispose()
      await devnode.close()
      `,
    )
    expect(run(process.execPath, ['pay.js']).trim()).toBe('1 101250000000n 12')
  })

  it.each([
    ['from a file', (code: string) => (writeFileSync(join(project, 'sign.js'), code), ['sign.js'])],
    ['from the command line', (code: string) => ['--input-type=module', '-e', code]],
  ])('signs many inputs in threads of Node with light, which end, run %s', (_, toArgs) => {
    const code = `
      import { light } from 'vue-chain/light'
      let threads = 0
      process.on('worker', () => threads++)
      const port = await light.loadPort()
      const hashes = Array.from({ length: 70 }, () => new Uint8Array(32).fill(7))
      const sign = async () => (await port.signHashesAsync([{ privateKey: '11'.repeat(32), hashes }]))[0]
      const [first, second] = [await sign(), await sign()]
      console.log(threads, first.length, new Set([...first, ...second]).size, /^41[0-9a-f]{128}01$/.test(first[69]))`
    // Four threads: the first two have not failed, after which none would be opened.
    expect(run(process.execPath, toArgs(code)).trim()).toBe('4 70 140 true')
  })

  it("contains the worker of light in a form that an app's bundler recognises", async () => {
    writeFileSync(join(project, 'app.js'), "import { light } from 'vue-chain/light'\nconsole.log(light)")
    const output = await build({
      root: project,
      configFile: false,
      logLevel: 'error',
      build: { write: false, rolldownOptions: { input: join(project, 'app.js') } },
    })
    if (Array.isArray(output) || !('output' in output)) throw new Error('Vite returned more than one bundle')
    const names = output.output.map(({ fileName }) => fileName).filter((name) => name.includes('sign-worker'))
    expect(names).toHaveLength(1)
    const code = output.output.map((part) => ('code' in part ? part.code : '')).join('')
    expect(code).toContain(names[0])
  })

  it('serves its documentation to an assistant over stdio, and ends with the client', () => {
    writeFileSync(
      join(project, 'assistant.js'),
      `
      import { Client } from '@modelcontextprotocol/sdk/client/index.js'
      import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
      const command = { command: process.execPath, args: ['node_modules/vue-chain/dist/cli.js', 'mcp'] }
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StdioClientTransport(command))
      const call = async (name, args) => JSON.parse((await client.callTool({ name, arguments: args })).content[0].text)
      const { result } = await call('search_docs', { query: 'export a kpub' })
      console.log(client.getServerVersion().name, result.findings.map(({ page }) => page).join())
      console.log((await call('explain_error', { code: 'aborted' })).result.explanation.slice(0, 10))
      await client.close()
      `,
    )
    const [found = '', explained] = run(process.execPath, ['assistant.js']).trim().split('\n')
    expect(found).toMatch(/^vue-chain .*recipes\/export-a-kpub/)
    expect(explained).toBe('The signal')
  })

  it('is no larger than it must be, of which the WASM file is 11.5 MB', () => {
    const sizes = readdirSync(join(project, 'node_modules/vue-chain'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(16_700_000)
    expect(sizes.length).toBeLessThan(720)
  })

  it.each(ENTRIES)('exports from %s what its source exports, and no more', async (entry) => {
    const { packed, source } = (exported ??= await readExports())
    expect(source[entry]?.length).toBeGreaterThan(0)
    expect(packed[entry]).toEqual(source[entry])
  })

  it.each([
    ['in development makes a recorder by itself', ['--conditions=development'], 'records no-recorder'],
    ['outside development makes no recorder', [], 'no-recorder no-recorder'],
  ])('%s', (_, flags, expected) => {
    const code = `
      import { createChainEngine } from 'vue-chain/streams'
      for (const options of [{}, { recorder: false }]) {
        const { recorder, metrics } = createChainEngine({ network: 'simnet', ...options })
        const isCounting = recorder !== null && recorder.records().length === 0 && metrics().reconnects === 0
        process.stdout.write((isCounting ? 'records' : 'no-recorder') + ' ')
      }`
    expect(run(process.execPath, [...flags, '--input-type=module', '-e', code]).trim()).toBe(expected)
  })

  it('contains wallet fakes for Node, and a script and a style sheet for browsers', () => {
    writeFileSync(
      join(project, 'wallet.js'),
      `
      import { existsSync } from 'node:fs'
      import { createChainEngine } from 'vue-chain/streams'
      import { createFakeWalletB, createTestPage, createTestWallets } from 'vue-chain/testing'
      const page = createTestPage()
      const fake = createFakeWalletB({ page })
      fake.install()
      const engine = createChainEngine({ network: 'mainnet', ports: { wallets: createTestWallets(page) } })
      await engine.wallet.connect('walletB')
      console.log(engine.wallet.state.address, fake.prompts.shown)
      await engine.dispose()
      const files = ['vue-chain/fake-wallets.js', 'vue-chain/style.css'].map((name) => new URL(import.meta.resolve(name)))
      console.log(files.every((file) => existsSync(file)))
      `,
    )
    expect(run(process.execPath, ['wallet.js']).trim().split('\n')).toEqual([
      'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh 1',
      'true',
    ])
  })

  it('compiles without the DOM library', () => {
    writeFileSync(
      join(project, 'bot.ts'),
      `
      import { createChainEngine, type UtxoState } from 'vue-chain/streams'
      export { createFakeWalletA, createScriptedNode } from 'vue-chain/testing'
      export const watch = (address: string, onState: (state: UtxoState) => void) =>
        createChainEngine({ network: 'simnet' }).utxos([address]).state$.subscribe(onState)
      `,
    )
    expect(errorsOfBot('bot.ts')).toEqual([])
  })

  // Beside what checks the declarations of all entries, and examples and a demo that use them.
  it.runIf(FULL)('compiles in an app, with its style sheet and component, and with every library checked', () => {
    writeFileSync(
      join(project, 'app.ts'),
      `
      import 'vue-chain/style.css'
      import { createApp, h } from 'vue'
      import { ConnectWallet, VueChain, useRestQuery, useRpcQuery } from 'vue-chain'
      const texts = { connect: 'Sign in' }
      createApp({
        setup() {
          const { data } = useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc }) => rpc.getSink(), select: ({ sink }) => sink })
          const { data: tip } = useRestQuery({ queryKey: ['tip'], queryFn: ({ rest }) => rest.getBlockDag() })
          const line: () => string | undefined = () => data.value ?? tip.value?.sink
          return () => h(ConnectWallet, { network: null, texts }, { footer: line })
        },
      }).use(VueChain, { wasmUrl: '/kaspa_bg.wasm' }).component('ConnectWallet', ConnectWallet)
      `,
    )
    const flags =
      '--noEmit --ignoreConfig --strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable --types node --skipLibCheck false'
    expect(run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...flags.split(' '), 'app.ts'])).toBe(
      '',
    )
  })

  it('is one copy in Node, in few files, whichever entries are imported', () => {
    const entries = [
      '',
      '/streams',
      '/core',
      '/light',
      '/rest',
      '/contracts',
      '/devnode',
      '/devnode/memory',
      '/testing',
      '/testing/vue',
      '/feed',
    ]
    const hook = `import { writeSync } from 'node:fs'
      export const load = (url, context, next) => (writeSync(1, url + '\\n'), next(url, context))`
    const code = `
      import { register } from 'node:module'
      register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}))
      const loaded = await Promise.all(${JSON.stringify(entries)}.map((entry) => import('vue-chain' + entry)))
      const classes = loaded.flatMap(({ ChainError }) => ChainError ?? [])
      console.log('classes', classes.length, new Set(classes).size)`
    const lines = run(process.execPath, ['--input-type=module', '-e', code]).trim().split('\n')
    const files = lines.flatMap((line) => /vue-chain\/dist\/(.*)$/.exec(line)?.[1] ?? [])
    expect(lines).toContain('classes 3 1')
    expect(files.filter((file) => file.startsWith('modules/'))).toEqual([])
    expect(files.length).toBeLessThan(64) // with one for each module there would be 300
  })

  it.each([
    'streams',
    'core',
    'light',
    'ledger',
    'rest',
    'contracts',
    'cosigning',
    'devnode',
    'devnode/memory',
    'testing',
    'feed',
    'feed/consumer',
    'feed/webhook',
  ])('loads no part that needs Vue for %s in Node, now or later', (entry) => {
    const library = join(project, 'node_modules/vue-chain')
    const { exports, imports } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as Manifest
    const forNode = ({ node, default: others }: Targets): string => join(library, node ?? others)
    const fileOf = (importer: string, name: string): string => {
      if (name.startsWith('.')) return resolve(dirname(importer), name)
      const targets = imports[name] ?? imports[name.replace(/\/.*/, '/*')]
      return targets === undefined ? name : forNode(targets)
    }
    const reached = new Set([forNode(exports[`./${entry}`]!)])
    for (const file of reached) {
      if (!file.startsWith(project)) continue // a package
      const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import|import\() ?"([^"]+)"/g)
      for (const [, name = ''] of specifiers) reached.add(fileOf(file, name))
    }
    expect(reached.size).toBeGreaterThan(2)
    expect([...reached].filter((file) => file.startsWith('#'))).toEqual([])
    expect(reached).not.toContain('vue')
  })

  it.each([
    'streams',
    'engine',
    'light',
    'rest',
    'devnode',
    'devnode/memory',
    'testing',
    'feed',
    'feed/consumer',
    'feed/webhook',
  ])('needs no types of Vue for those of %s, nor another entry', (entry) => {
    const types = join(project, 'node_modules/vue-chain/dist/types')
    const reached = new Set([join(types, entry, 'index.d.ts')])
    for (const file of reached) {
      if (!file.startsWith(project)) continue // a package
      const specifiers = readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)
      for (const [, name = ''] of specifiers)
        reached.add(name.startsWith('.') ? resolve(dirname(file), name.replace(/\.js$/, '.d.ts')) : name)
    }
    expect(reached).not.toContain('vue')
    const shared = [...reached].slice(1).filter((file) => file.startsWith(types))
    expect(shared.filter((file) => !file.startsWith(join(types, 'shared')))).toEqual([])
  })

  it('contains the licence of the SDK, and no tests', () => {
    const files = run('find', ['node_modules/vue-chain', '-type', 'f']).split('\n')
    expect(files).toContain('node_modules/vue-chain/dist/sdk/LICENSE')
    expect(files.filter((file) => /\.test\.|\/test\/|\/src\//.test(file))).toEqual([])
  })
})

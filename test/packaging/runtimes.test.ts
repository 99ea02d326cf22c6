import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { ALL, isChosen } from './support/chosen.js'
import { installedIn } from './support/installed.js'
import { run } from './support/process.js'

/** A runtime: the fixture, and the command that runs a script of it. */
interface Runtime {
  readonly app: string
  readonly title: string
  readonly script: string
  readonly command: readonly [string, ...string[]]
  /** Bundles the script before, by arguments of Node. Needs longer, and is left to `npm run test:packaging`. */
  readonly bundle?: readonly string[]
}

const RUNTIMES: readonly Runtime[] = [
  { app: 'node', title: 'Node, ES module', script: 'service.mjs', command: [process.execPath] },
  { app: 'node', title: 'Node, CommonJS', script: 'service.cjs', command: [process.execPath] },
  { app: 'bun', title: 'Bun', script: 'service.mjs', command: ['node_modules/@oven/bun-linux-x64/bin/bun'] },
  {
    app: 'deno',
    title: 'Deno',
    script: 'service.mjs',
    command: ['node_modules/@deno/linux-x64-glibc/deno', 'run', '--allow-all', '--node-modules-dir=manual'],
  },
  {
    app: 'esbuild',
    title: 'Node, bundled by esbuild',
    script: 'service/service.js',
    command: [process.execPath],
    bundle: [
      'node_modules/esbuild/bin/esbuild',
      ...['service.mjs', '--bundle', '--platform=node', '--format=esm', '--outfile=service/service.js'],
      ...['--external:ws', '--external:isomorphic-ws'],
    ],
  },
  {
    app: 'rollup',
    title: 'Node, bundled by Rollup',
    script: 'service/service.js',
    command: [process.execPath],
    bundle: ['node_modules/rollup/dist/bin/rollup', '-c', 'service.config.js'],
  },
]

/** Releases of Node, the lowest supported among them, as packages of the registry. */
const NODE_RELEASES = ['20.19', '22', '24', '26'].flatMap((release): Runtime[] => {
  const fixture = { app: 'node-versions', command: [`node_modules/node-${release}/bin/node`] } as const
  return [
    { ...fixture, title: `Node ${release}, ES module`, script: 'service.mjs' },
    { ...fixture, title: `Node ${release}, CommonJS`, script: 'service.cjs' },
  ]
})

const chosen = [...RUNTIMES, ...NODE_RELEASES].filter(
  ({ app, bundle }) => isChosen(app) && (ALL || bundle === undefined),
)

const WASM = 'node_modules/vue-chain/dist/sdk/kaspa_bg.wasm'

let devnode: Devnode
beforeAll(async () => {
  devnode = await createDevnode({ accounts: 2 * chosen.length })
})
afterAll(() => devnode.close())

describe.each(chosen.map((runtime, index) => ({ ...runtime, index })))(
  '$title',
  ({ app, script, command: [program, ...args], bundle, index }) => {
    const folder = installedIn(app) ?? ''

    it.skipIf(folder === '')('is live, pays, and exits', async () => {
      if (bundle !== undefined) {
        await run(process.execPath, bundle, { cwd: folder })
        copyFileSync(join(folder, WASM), join(folder, 'service/kaspa_bg.wasm')) // as docs/connection.md says
      }
      const [from, to] = [devnode.accounts[2 * index]!, devnode.accounts[2 * index + 1]!]
      const payment = [devnode.urls.borsh, from.privateKeyHex, from.address, to.address]
      const output = await run(program, [...args, script, ...payment], { cwd: folder })
      expect(output).toMatch(/live and paid: (accepted|confirmed)/)
    })
  },
)

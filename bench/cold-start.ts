import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDevnode } from '../src/devnode/index.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

const ROUNDS = 15

/** The devnode in this process must be able to respond meanwhile. */
const execute = promisify(execFile)

/** `.cache` of the package, where `vue-chain` is the built package, as Node resolves it. */
const CACHE = resolve(import.meta.dirname, '..')

/** What a process has used when it is done: ms of processor time and since its start. */
const DONE = `
  const { user, system } = process.cpuUsage()
  console.log(JSON.stringify({ cpu: (user + system) / 1000, wall: performance.now() }))
  process.exit(0)
`

/**
 * Processes that load a library and read the first DAA score of the node at \`process.argv[2]\`; and one that does
 * nothing.
 */
const FIRST_VALUE = {
  ours: `
    import { createChainEngine } from 'vue-chain/streams'
    const engine = createChainEngine({ network: 'simnet', url: process.argv[2] })
    engine.connection.connect()
    engine.virtualDaaScore$.subscribe((score) => { if (score > 0n) { ${DONE} } })`,
  sdk: `
    import { WebSocket } from 'ws'
    import sdk from 'kaspa-wasm'
    globalThis.WebSocket = WebSocket
    const rpc = new sdk.RpcClient({ url: process.argv[2], encoding: sdk.Encoding.Borsh, networkId: 'simnet' })
    await rpc.connect()
    const { virtualDaaScore } = await rpc.getBlockDagInfo()
    if (virtualDaaScore > 0n) { ${DONE} }`,
  ws: `
    import { WebSocket } from 'ws'
    const socket = new WebSocket(process.argv[3])
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'getServerInfo', params: {} })))
    socket.on('message', (data) => { if (BigInt(JSON.parse(data).params.virtualDaaScore) > 0n) { ${DONE} } })`,
}

/** Processes that import an entry, and its peers alone. */
const IMPORTS = {
  streams: `import 'vue-chain/streams'; ${DONE}`,
  rxjs: `import 'rxjs'; ${DONE}`,
  vueChain: `import 'vue-chain'; ${DONE}`,
  peers: `import 'vue'; import 'rxjs'; ${DONE}`,
}

/** Cold start in Node: processes that end with the first value, and imports alone. */
export async function run(): Promise<BenchRow[]> {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'cold-'))
  const devnode = await createDevnode({ blockInterval: 250, accounts: 1 })
  const urls = [devnode.urls.borsh, devnode.urls.json]
  try {
    const values = await measure(folder, FIRST_VALUE, urls)
    const imports = await measure(folder, IMPORTS, urls)
    const ofClient = 'load kaspa-wasm, connect by RpcClient, getBlockDagInfo()'
    return [
      toRow('first DAA score in a process of Node, processor time', ofClient, values.ours, values.sdk, 'cpu', 0.8),
      toRow('first DAA score in a process of Node, wall time', ofClient, values.ours, values.sdk, 'wall', 0.8),
      toRow('the same, processor time', 'ws alone: getServerInfo as JSON', values.ours, values.ws, 'cpu', 3),
      toRow('import of `vue-chain/streams` in Node', 'import of rxjs alone', imports.streams, imports.rxjs, 'cpu', 1.5),
      toRow('import of `vue-chain` in Node', 'import of vue and rxjs', imports.vueChain, imports.peers, 'cpu', 1.3),
    ]
  } finally {
    await devnode.close()
    rmSync(folder, { recursive: true })
  }
}

interface Cost {
  /** ms. */
  readonly cpu: number
  readonly wall: number
}

/** The median cost of each process, and what it loads. */
interface Start extends Cost {
  readonly files: number
  readonly bytes: number
}

/**
 * Runs the processes in turn, so that load on the machine affects all of them; the first round is a warm-up of the file
 * cache.
 */
async function measure<Name extends string>(
  folder: string,
  scripts: Readonly<Record<Name, string>>,
  urls: readonly string[],
): Promise<Record<Name, Start>> {
  const names = Object.keys(scripts) as Name[]
  const fileOf = (name: Name): string => join(folder, `${name}.mjs`)
  for (const name of names) writeFileSync(fileOf(name), scripts[name])
  const costs = new Map(names.map((name): [Name, Cost[]] => [name, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of names) {
      const { stdout } = await execute(process.execPath, [fileOf(name), ...urls])
      if (round >= 0) costs.get(name)?.push(JSON.parse(stdout) as Cost)
    }
  }
  const starts: Partial<Record<Name, Start>> = {}
  for (const name of names) {
    const rounds = costs.get(name) ?? []
    const cost = { cpu: median(rounds.map(({ cpu }) => cpu)), wall: median(rounds.map(({ wall }) => wall)) }
    starts[name] = { ...cost, ...(await loadedBy(folder, fileOf(name), urls)) }
  }
  return starts as Record<Name, Start> // of all names
}

/** Prints the files that a process has loaded: ES modules by a hook, others by \`require.cache\`. */
const HOOK = `
  import { createRequire, register } from 'node:module'
  import { appendFileSync, writeFileSync } from 'node:fs'
  const load = "import { appendFileSync } from 'node:fs'; export async function load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\\\n'); return next(url, context) }"
  register('data:text/javascript,' + encodeURIComponent(load))
  process.on('exit', () => {
    for (const file of Object.keys(createRequire(import.meta.url).cache)) appendFileSync(process.env.LOADED, 'file://' + file + '\\n')
  })
`

/** The files of JavaScript that a process loads, without its own script. */
async function loadedBy(
  folder: string,
  script: string,
  urls: readonly string[],
): Promise<Pick<Start, 'files' | 'bytes'>> {
  const [hook, list] = [join(folder, 'hook.mjs'), join(folder, 'loaded.txt')]
  writeFileSync(hook, HOOK)
  writeFileSync(list, '')
  await execute(process.execPath, ['--import', hook, script, ...urls], { env: { ...process.env, LOADED: list } })
  const lines = readFileSync(list, 'utf8').split('\n')
  const files = new Set(lines.filter((url) => url.startsWith('file:') && !url.startsWith(`file://${folder}`)))
  const bytes = [...files].reduce((sum, url) => sum + statSync(fileURLToPath(url)).size, 0)
  return { files: files.size, bytes }
}

function toRow(what: string, against: string, ours: Start, theirs: Start, unit: keyof Cost, limit: number): BenchRow {
  const ratio = ours[unit] / theirs[unit]
  const loaded = ({ files, bytes }: Start): string => `${files} files of ${Math.round(bytes / 1000)} kB`
  return {
    what,
    against,
    ratio,
    goal: `≤ ${limit} ×`,
    met: ratio <= limit,
    detail: `${ours[unit].toFixed(0)} ms (${loaded(ours)}) against ${theirs[unit].toFixed(0)} ms (${loaded(theirs)}), median of ${ROUNDS} processes`,
  }
}

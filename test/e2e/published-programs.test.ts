/** Every program of docs/, examples/ and the templates, and every command that serves HTTP, under a hostile client. */
import { build, transformSync } from 'esbuild'
import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { makePgliteFolder } from '../feed/support/new-pglite.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../feed/support/postgres-cluster.js'
import { FULL } from '../full.js'
import { attack, openRequest, statusOf, statusOfGood, type Target } from '../hostile/attacks.js'
import { freePort } from '../free-port.js'
import { startExample, startProgram, type ExampleProcess } from './example-process.js'

const ROOT = resolve(import.meta.dirname, '../..')
const TOKEN = 'token-of-the-exchange'
const COMMAND = join(ROOT, 'dist/cli.js')

let devnode: Devnode
let folder: string
/**
 * Where PostgreSQL is installed: PGlite takes 4 s of processor time more to start. The shop and the facilitator use
 * PGlite, their default, and a full run uses it for all.
 */
let cluster: PostgresCluster | undefined
beforeAll(async () => {
  cluster = hasPostgres && !FULL ? await startPostgres() : undefined
  devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
  folder = await mkdtemp(join(tmpdir(), 'published-programs-'))
  await mkdir(join(ROOT, '.cache/programs'), { recursive: true })
})
afterAll(async () => {
  await devnode.close()
  await cluster?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** A program that serves. */
interface Running {
  readonly program: ExampleProcess
  readonly target: Target
  /** Gives it work that SIGTERM interrupts. */
  readonly work?: () => Promise<unknown>
}

interface Published {
  readonly name: string
  /** The files of docs, examples and templates whose servers it runs; none for a command. */
  readonly files: readonly string[]
  readonly start: (port: number) => Promise<Running>
  /** The statuses of hostile requests. No other one may succeed, or fail with 500. */
  readonly refuses: Readonly<Record<string, number>>
  /** Whether it responds to every path. @default false */
  readonly anyPath?: boolean
  /** A test of its own, on the running program. */
  readonly test?: { readonly title: string; readonly run: (target: Target) => Promise<void> }
}

const FOREIGN = { 'foreign host': 403, 'foreign origin': 403, 'foreign origin, text': 403 }
const READS_JSON = {
  ...{ 'wrong content type': 415, 'no JSON': 400, oversized: 413, 'oversized in chunks': 413 },
}
const READS_NOTHING = {
  ...{ 'wrong content type': 405, 'no JSON': 405, oversized: 405, 'oversized in chunks': 405 },
}

const PROGRAMS: readonly Published[] = [
  {
    name: 'examples/hot-wallet',
    files: ['examples/hot-wallet/serve.js'],
    start: startHotWallet,
    refuses: { ...FOREIGN, ...READS_JSON, 'GET /%': 400 },
    test: { title: 'lets no page post a payment, and makes none without the token', run: refusePages },
  },
  {
    name: 'examples/deposit-watcher',
    files: ['examples/deposit-watcher/serve.js'],
    start: startDepositWatcher,
    refuses: { ...FOREIGN, ...READS_JSON, 'GET /%': 400 },
  },
  {
    name: 'examples/treasury',
    files: ['examples/treasury/serve.js'],
    start: startTreasury,
    refuses: { ...FOREIGN, ...READS_JSON, 'GET /%': 400 },
  },
  {
    name: 'docs/sign-in.md',
    files: ['docs/sign-in.md'],
    start: startSignIn,
    refuses: { 'foreign origin, text': 403, ...READS_JSON },
  },
  {
    name: 'docs/diagnosis.md',
    files: ['docs/diagnosis.md'],
    start: startMetrics,
    refuses: { ...FOREIGN, ...READS_NOTHING },
    anyPath: true,
  },
  {
    name: 'the template service',
    files: ['create/templates/service/src/api.ts', 'create/templates/service/src/service.ts'],
    start: startService,
    refuses: { ...FOREIGN, ...READS_NOTHING, 'GET /%': 404 },
  },
  {
    name: 'the template shop',
    files: ['dev.ts', 'server/main.ts', 'server/shop.ts'].map((file) => `create/templates/shop/${file}`),
    start: startShop,
    refuses: { ...FOREIGN, 'wrong content type': 400, 'no JSON': 400, oversized: 413, 'oversized in chunks': 413 },
  },
  {
    name: 'docs/recipes/webhook.md',
    files: ['docs/recipes/webhook.md'],
    start: startReceiver,
    refuses: { ...FOREIGN, 'foreign host': 405, ...READS_JSON },
  },
  {
    name: 'docs/recipes/paid-api.md',
    files: ['docs/recipes/paid-api.md'],
    start: startPaidApi,
    refuses: { 'foreign origin': 402, 'foreign host': 404, oversized: 413, 'oversized in chunks': 413 },
    test: { title: 'is paid by the agent for its quote, once', run: payForQuote },
  },
  {
    name: 'vue-chain x402 facilitator',
    files: [],
    start: startFacilitator,
    refuses: { ...FOREIGN, 'foreign host': 404, ...READS_JSON, oversized: 400, 'oversized in chunks': 400 },
  },
  {
    name: 'vue-chain feed',
    files: [],
    start: startFeed,
    refuses: { ...FOREIGN, ...READS_NOTHING, 'GET /%': 404 },
  },
  {
    name: 'vue-chain devnode, its REST API',
    files: [],
    start: (port) => startDevnode(['--rest-port', String(port), '--control-port', '0'], restOf(port)),
    refuses: { ...FOREIGN, 'no JSON': 422, 'GET /%': 404 }, // as the indexer's server
  },
  {
    name: 'vue-chain devnode, its control',
    files: [],
    start: (port) => startDevnode(['--rest-port', '0', '--control-port', String(port)], controlOf(port)),
    refuses: { ...FOREIGN, 'no JSON': 400, 'GET /%': 404 },
  },
]

const urlOf = (port: number): string => `http://127.0.0.1:${port}`

/** Ends what was started, and removes its files. */
const ends: (() => Promise<unknown>)[] = []
async function endAll(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()))
}

/** Resolves once the program listens; it ends with the tests of the program. */
async function listening(program: ExampleProcess, text = 'Listening'): Promise<ExampleProcess> {
  ends.push(() => program.kill())
  await program.printed(text)
  return program
}

async function startHotWallet(port: number): Promise<Running> {
  const database = await makeDatabase(`wallet_${port}`)
  const program = startExample('hot-wallet', {
    NETWORK: 'simnet',
    NODES: devnode.urls.borsh,
    ADDRESS: devnode.accounts[0]!.address,
    PRIVATE_KEY: devnode.accounts[0]!.privateKeyHex,
    DATABASE: database,
    PORT: String(port),
    MAX_WAIT: '20',
    SUBMIT_EVERY: '50',
    TOKEN,
  })
  const url = urlOf(port)
  const headers = [`Authorization: Bearer ${TOKEN}`]
  return {
    program: await listening(program),
    target: { url, post: '/withdrawals', headers, get: ['/withdrawals/7', 404] },
    work: () => withdraw(url),
  }
}

/** An empty database of PostgreSQL, else of PGlite in a folder. */
async function makeDatabase(name: string, data = join(folder, name)): Promise<string> {
  if (cluster === undefined) {
    await makePgliteFolder(data)
    return data
  }
  await cluster.pool().query(`create database ${name}`)
  return `postgres://postgres@127.0.0.1:${cluster.port}/${name}`
}

/** The status of a request to withdraw. */
function withdraw(url: string, id = '1', lines?: readonly string[]): Promise<number> {
  const body = JSON.stringify({ id, address: devnode.accounts[1]!.address, amount: '500000000n' })
  const request = lines ?? [`Host: ${new URL(url).host}`, JSON_BODY, AUTHORIZED]
  return statusOf(url, ['POST /withdrawals HTTP/1.1', `Content-Length: ${body.length}`, ...request], body)
}

const JSON_BODY = 'Content-Type: application/json'
const AUTHORIZED = `Authorization: Bearer ${TOKEN}`

async function refusePages({ url }: Target): Promise<void> {
  const host = `Host: ${new URL(url).host}`
  const status = (...lines: readonly string[]): Promise<number> => withdraw(url, '2', lines)
  expect(await status(host, 'Content-Type: text/plain', AUTHORIZED)).toBe(415)
  expect(await status(host, JSON_BODY)).toBe(401)
  expect(await status(host, JSON_BODY, 'Authorization: Bearer other')).toBe(401)
  expect(await status('Host: rebound.test', JSON_BODY, AUTHORIZED)).toBe(403)
  expect(await status(host, JSON_BODY, AUTHORIZED, 'Origin: null')).toBe(403)
  expect(await statusOf(url, ['GET /withdrawals/2 HTTP/1.1', host, AUTHORIZED])).toBe(404)
  expect(await status(host, JSON_BODY, AUTHORIZED)).toBe(201)
}

async function startDepositWatcher(port: number): Promise<Running> {
  const program = startExample('deposit-watcher', {
    NETWORK: 'simnet',
    NODES: devnode.urls.borsh,
    KPUB: vectors[1]!.kpub,
    DATA: join(folder, `shop-${port}.json`),
    PORT: String(port),
    CONFIRMATIONS: '0',
  })
  const url = urlOf(port)
  return {
    program: await listening(program),
    target: { url, post: '/orders', get: ['/orders/7', 404] },
    async work() {
      const order = { id: '1', amount: '500000000n', expiresAt: 2_000_000_000_000 }
      const made = await fetch(`${url}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(order),
      })
      const { address } = (await made.json()) as { readonly address: string }
      await payAndMine(address)
    },
  }
}

async function startTreasury(port: number): Promise<Running> {
  const page = join(folder, `page-${port}`)
  await mkdir(page)
  const program = startExample('treasury', {
    PAGE: page,
    DATA: join(folder, `texts-${port}.json`),
    PORT: String(port),
  })
  const url = urlOf(port)
  return {
    program: await listening(program),
    target: { url, post: '/texts', get: ['/texts', 200] },
    work: () =>
      fetch(`${url}/texts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'PSKB5b5d' }),
      }),
  }
}

async function payAndMine(address: string): Promise<void> {
  await devnode.fund(address, 500_000_000n)
  await devnode.mine(3)
}

/** The server that a page prints, on a port and a devnode of this test. */
async function startPrinted(page: string, port: number): Promise<ExampleProcess> {
  const blocks = readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)
  const [code = ''] = Array.from(blocks, ([, text = '']) => text).filter((text) => text.includes('createServer('))
  expect(code).toMatch(/listen\([\d_]+/)
  const file = join(ROOT, '.cache/programs', `program-${port}.mjs`)
  const served = code
    .replace(/listen\([\d_]+(, [\w.]+)?\)/, (_, host = ", '127.0.0.1'") => {
      return `listen(${port}${String(host)}, () => console.log('Listening'))`
    })
    .replace("network: 'mainnet'", `network: 'simnet', url: '${devnode.urls.borsh}'`)
  await writeFile(file, served)
  ends.push(() => rm(file))
  return listening(startProgram(file, {}))
}

async function startSignIn(port: number): Promise<Running> {
  const program = await startPrinted('docs/sign-in.md', port)
  const url = urlOf(port)
  return {
    program,
    target: { url, post: '/api/sign-in', get: ['/api/nonce', 405] },
    work: () => fetch(`${url}/api/nonce`, { method: 'POST' }),
  }
}

async function startMetrics(port: number): Promise<Running> {
  const program = await startPrinted('docs/diagnosis.md', port)
  return { program, target: { url: urlOf(port), post: '/metrics', get: ['/metrics', 200] } }
}

/** What `npm run build` and `npm start` of the template run. */
async function startService(port: number): Promise<Running> {
  const source = join(ROOT, 'create/templates/service/src')
  const entryPoints = readdirSync(source).map((name) => join(source, name))
  const outdir = join(ROOT, '.cache/programs', `service-${port}`)
  const cwd = join(folder, `service-${port}`)
  await build({ entryPoints, outdir, format: 'esm', platform: 'node' })
  await mkdir(cwd)
  const database = await makeDatabase(`service_${port}`, join(cwd, 'data'))
  ends.push(() => rm(outdir, { recursive: true }))
  const env = {
    NETWORK: 'simnet',
    NODE_URL: devnode.urls.borsh,
    CONFIRMATIONS: '0',
    PORT: String(port),
    ...(cluster !== undefined && { DATABASE_URL: database }),
  }
  const program = startProgram(join(outdir, 'main.js'), env, { cwd })
  const url = urlOf(port)
  const { address } = devnode.accounts[0]!
  return {
    program: await listening(program, 'listening on'),
    target: { url, post: `/addresses/${address}`, get: ['/healthz', 200] },
    async work() {
      await fetch(`${url}/addresses/${address}`, { method: 'PUT' })
      await payAndMine(address)
    },
  }
}

/** What `npm run build` and `npm start` of the template run. */
async function startShop(port: number): Promise<Running> {
  const source = join(ROOT, 'create/templates/shop/server')
  const out = join(ROOT, '.cache/programs', `shop-${port}`)
  const cwd = join(folder, `orders-${port}`)
  await Promise.all([mkdir(join(out, 'page'), { recursive: true }), makePgliteFolder(join(cwd, 'data'))])
  ends.push(() => rm(out, { recursive: true }))
  const entryPoints = readdirSync(source).map((name) => join(source, name))
  await build({ entryPoints, outdir: join(out, 'server'), format: 'esm', platform: 'node' })
  const env = {
    NETWORK: 'simnet',
    NODE_URL: devnode.urls.borsh,
    KPUB: vectors[1]!.kpub,
    CONFIRMATIONS: '1',
    PORT: String(port),
  }
  const program = startProgram(join(out, 'server/main.js'), env, { cwd })
  const url = urlOf(port)
  return {
    program: await listening(program, 'The shop on simnet'),
    target: { url, post: '/api/webhook', get: ['/api/shop', 200] },
    async work() {
      const made = await fetch(`${url}/api/orders`, { method: 'POST' })
      const { request } = (await made.json()) as { readonly request: { readonly address: string } }
      await payAndMine(request.address)
    },
  }
}

/** The receiver that the page prints, with orders in memory. */
async function startReceiver(port: number): Promise<Running> {
  const text = readFileSync(join(ROOT, 'docs/recipes/webhook.md'), 'utf8')
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(text) ?? []
  const served = `${code}
    const orders: Orders = { update: async () => undefined, deliver: async () => undefined }
    const server = createReceiver(orders, 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=')
    server.listen(${port}, '127.0.0.1', () => console.log('Listening'))
    process.once('SIGTERM', () => (server.close(), server.closeAllConnections()))`
  const file = join(ROOT, '.cache/programs', `receiver-${port}.mjs`)
  await writeFile(file, transformSync(served, { loader: 'ts' }).code)
  ends.push(() => rm(file))
  const program = await listening(startProgram(file, {}))
  return { program, target: { url: urlOf(port), post: '/', get: ['/', 405] } }
}

/** A block of the recipe as a program that is started. */
async function startPaidPart(part: string, name: string, env: Record<string, string>, change = (code: string) => code) {
  const text = readFileSync(join(ROOT, 'docs/recipes/paid-api.md'), 'utf8')
  const blocks = Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, code = '']) => code)
  const file = join(ROOT, '.cache/programs', `${name}.mjs`)
  const code = blocks.find((block) => block.includes(part)) ?? ''
  await writeFile(file, transformSync(change(code), { loader: 'ts' }).code)
  onTestFinished(() => rm(file))
  return startProgram(file, { NODE_URL: devnode.urls.borsh, ...env })
}

async function startPaidApi(port: number): Promise<Running> {
  const env = { PAY_TO: devnode.accounts[0]!.address }
  const change = (code: string): string => code.replace('listen(8402', `listen(${port}`)
  const program = await listening(await startPaidPart('app.listen(', `paid-api-${port}`, env, change))
  return { program, target: { url: urlOf(port), post: '/quote', get: ['/quote', 402] } }
}

async function payForQuote({ url }: Target): Promise<void> {
  const [merchant, agent] = devnode.accounts
  const mining = setInterval(() => void devnode.mine(), 50)
  onTestFinished(() => clearInterval(mining))
  const paid = () => devnode.expected.transfers([merchant!.address]).filter(({ amount }) => amount === 50_000_000n)
  const { port } = new URL(url)
  const env = { PRIVATE_KEY: agent!.privateKeyHex, API: url, ATTEMPTS: join(folder, `attempts-${port}.json`) }
  const buyer = await startPaidPart('wrapFetchWithPayment(', `agent-${port}`, env)
  onTestFinished(() => buyer.kill())
  await buyer.printed('200 {"quote":')
  expect(paid()).toHaveLength(1)
}

async function startFacilitator(port: number): Promise<Running> {
  const database = join(folder, `x402-${port}`)
  await makePgliteFolder(database)
  const flags = ['--network', 'simnet', '--url', devnode.urls.borsh, '--database', database, '--port', String(port)]
  const program = startProgram(COMMAND, { VUE_CHAIN_TOKEN: TOKEN }, { args: ['x402', 'facilitator', ...flags] })
  return {
    program: await listening(program, 'Serving /supported'),
    target: { url: urlOf(port), post: '/settle', headers: [AUTHORIZED], get: ['/supported', 200] },
  }
}

async function startFeed(port: number): Promise<Running> {
  const { address } = devnode.accounts[0]!
  const database = await makeDatabase(`feed_${port}`)
  const flags = ['--network', 'simnet', '--url', devnode.urls.borsh, '--database', database, '--addresses', address]
  const program = startProgram(
    COMMAND,
    {},
    { args: ['feed', ...flags, '--confirmations', '0', '--port', String(port)] },
  )
  return {
    program: await listening(program, 'The feed delivers'),
    target: { url: urlOf(port), post: '/healthz', get: ['/healthz', 200] },
    work: () => payAndMine(address),
  }
}

async function startDevnode(flags: readonly string[], target: Target): Promise<Running> {
  const ports = ['--borsh-port', '0', '--json-port', '0']
  const program = startProgram(COMMAND, {}, { args: ['devnode', '--block-interval', '50', ...ports, ...flags] })
  return { program: await listening(program, target.url), target }
}

const restOf = (port: number): Target => ({ url: urlOf(port), post: '/transactions', get: ['/info/health', 200] })
const controlOf = (port: number): Target => ({ url: urlOf(port), post: '/fund', get: ['/expected/mempool', 200] })

it('are all programs of docs, examples and templates that listen, and each has the one check of requests', () => {
  const args = ['ls-files', 'docs', 'examples', 'create/templates', 'README.md']
  const listed = execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
  const paths = listed.filter((path) => !path.endsWith('.test.ts'))
  const texts = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
  const matching = (pattern: RegExp): string[] => paths.filter((path) => pattern.test(texts.get(path) ?? ''))
  expect(matching(/\b(createServer|createSecureServer|Deno\.serve|Bun\.serve)\(|\.listen\(/).sort()).toEqual(
    [...new Set(PROGRAMS.flatMap(({ files }) => files))].sort(),
  )
  const contains = (files: readonly string[], pattern: RegExp): boolean =>
    files.some((path) => pattern.test(texts.get(path) ?? ''))
  const unchecked = PROGRAMS.filter(
    ({ files }) => contains(files, /\bcreateServer\(/) && !contains(files, /\b(requestRefusal|createSignInHandler)\(/),
  )
  expect(unchecked).toEqual([])
})

describe.each(PROGRAMS)('$name', ({ start, refuses, anyPath = false, test }) => {
  /** The program of all tests, until the last ends it: most of their processor time is its start. */
  let running: Running | undefined
  /** Ms that its start took: several times longer on a busy machine, as its end does. */
  let startTime = 0
  const started = async (): Promise<Running> => {
    const begun = performance.now()
    running ??= await start(await freePort())
    startTime ||= performance.now() - begun
    return running
  }
  afterAll(endAll)

  it('survives a hostile client', async () => {
    const { target } = await started()
    const seen = await attack(target)
    expect(seen).toMatchObject(refuses)
    const served = Object.entries(seen).filter(
      ([name, status]) =>
        !(name in refuses) && !(anyPath && name.startsWith('GET ')) && (status < 300 || status >= 500) && status !== 0,
    )
    expect(served).toEqual([])
    // one that listens before it has a connection says so with 503
    await expect.poll(() => statusOfGood(target)).toBe(target.get[1])
  })

  if (test !== undefined)
    it(test.title, async () => {
      await test.run((await started()).target)
    })

  it('ends cleanly within 5 s of SIGTERM after it, in the middle of work, with a client that is slow and one that waits', async () => {
    const { program, target, work } = await started()
    running = undefined
    const { url, post, headers = [] } = target
    const head = [`POST ${post} HTTP/1.1`, 'Host: localhost', JSON_BODY, 'Content-Length: 100', ...headers]
    const clients = await Promise.all([
      openRequest(url, head, '{'),
      openRequest(url, ['GET / HTTP/1.1', 'Host: localhost', 'X-Half: of the head']),
    ])
    await work?.()
    const begun = performance.now()
    expect(await program.stop()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(Math.max(5_000, startTime))
    for (const client of clients) client.destroy()
  })
})

/** Every program of docs/ and examples/ that serves HTTP, under a hostile client. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }
import { attack, openRequest, statusOf } from '../hostile/attacks.js'
import { freePort, startExample, startProgram, type ExampleProcess } from './example-process.js'

const ROOT = resolve(import.meta.dirname, '../..')
const TOKEN = 'token-of-the-exchange'

let devnode: Devnode
let folder: string
beforeAll(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
  folder = await mkdtemp(join(tmpdir(), 'published-programs-'))
  await mkdir(join(ROOT, '.cache/programs'), { recursive: true })
})
afterAll(async () => {
  await devnode.close()
  await rm(folder, { recursive: true, force: true })
})

interface Running {
  readonly program: ExampleProcess
  readonly url: string
  /** Statuses of hostile requests. */
  readonly statuses: () => Promise<Record<string, unknown>>
  /** A request whose body never ends. */
  readonly slow: readonly string[]
}

async function startHotWallet(): Promise<Running> {
  const port = await freePort()
  const program = startExample('hot-wallet', {
    NETWORK: 'simnet',
    NODES: devnode.urls.borsh,
    ADDRESS: devnode.accounts[0]!.address,
    PRIVATE_KEY: devnode.accounts[0]!.privateKeyHex,
    DATA: join(folder, 'wallet.json'),
    PORT: String(port),
    PAY_EVERY: '20',
    SUBMIT_EVERY: '50',
    TOKEN,
  })
  onTestFinished(() => program.kill())
  await program.printed('Listening')
  const url = `http://127.0.0.1:${port}`
  const headers = [`Authorization: Bearer ${TOKEN}`]
  return {
    program,
    url,
    statuses: () => attack({ url, post: '/withdrawals', headers, get: ['/withdrawals/7', 404] }),
    slow: post('/withdrawals', ...headers),
  }
}

async function startDepositWatcher(): Promise<Running> {
  const port = await freePort()
  const program = startExample('deposit-watcher', {
    NETWORK: 'simnet',
    NODES: devnode.urls.borsh,
    KPUB: vectors[1]!.kpub,
    DATA: join(folder, 'shop.json'),
    PORT: String(port),
  })
  onTestFinished(() => program.kill())
  await program.printed('Listening')
  const url = `http://127.0.0.1:${port}`
  return {
    program,
    url,
    statuses: () => attack({ url, post: '/orders', get: ['/orders/7', 404] }),
    slow: post('/orders'),
  }
}

/** The server of the guide as it is printed there. */
async function startSignIn(): Promise<Running> {
  const port = await freePort()
  const [, code = ''] = /^```ts\n([\s\S]*?)^```/m.exec(await readFile(join(ROOT, 'docs/sign-in.md'), 'utf8')) ?? []
  expect(code).toContain('listen(8080)')
  const file = join(ROOT, '.cache/programs', `sign-in-${port}.mjs`)
  await writeFile(file, code.replace('8080', `${port}, '127.0.0.1', () => console.log('Listening')`))
  onTestFinished(() => rm(file))
  const program = startProgram(file, {})
  onTestFinished(() => program.kill())
  await program.printed('Listening')
  const url = `http://127.0.0.1:${port}`
  return {
    program,
    url,
    statuses: () => attack({ url, post: '/api/sign-in', get: ['/api/nonce', 405] }),
    slow: post('/api/sign-in'),
  }
}

const post = (path: string, ...headers: readonly string[]): readonly string[] => [
  ...[`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 100', ...headers],
]

describe.each([
  ['examples/hot-wallet', startHotWallet],
  ['examples/deposit-watcher', startDepositWatcher],
  ['docs/sign-in.md', startSignIn],
])('%s', (name, start) => {
  it('survives a hostile client', async () => {
    const { statuses, program } = await start()
    const seen = await statuses()
    expect(seen).toMatchObject({
      'foreign origin, text': 403,
      'wrong content type': 415,
      'no JSON': 400,
      oversized: 413,
      'oversized in chunks': 413,
      afterwards: true,
    })
    const served = Object.entries(seen).filter(([, status]) => status === 200 || status === 201 || status === 500)
    expect(served).toEqual([])
    if (name.startsWith('examples/'))
      expect(seen).toMatchObject({ 'foreign host': 403, 'foreign origin': 403, 'GET /%': 400 })
    expect(await program.stop()).toBe(0)
  })

  it('ends cleanly within 5 s of SIGTERM, with a client that is slow and one that waits', async () => {
    const { program, url, slow } = await start()
    const clients = await Promise.all([
      openRequest(url, slow, '{'),
      openRequest(url, ['GET / HTTP/1.1', 'Host: localhost', 'X-Half: of the head']),
    ])
    const begun = performance.now()
    expect(await program.stop()).toBe(0)
    expect(performance.now() - begun).toBeLessThan(5_000)
    for (const client of clients) client.destroy()
  })
})

it('examples/hot-wallet: no page posts a payment, and none is made without the token', async () => {
  const { program, url } = await startHotWallet()
  const body = JSON.stringify({ id: '1', address: devnode.accounts[0]!.address, amount: '500000000n' })
  const length = `Content-Length: ${body.length}`
  const line = 'POST /withdrawals HTTP/1.1'
  const host = `Host: ${new URL(url).host}`
  const json = 'Content-Type: application/json'
  const token = `Authorization: Bearer ${TOKEN}`
  const status = (...lines: readonly string[]): Promise<number> => statusOf(url, [line, length, ...lines], body)
  expect(await status(host, 'Content-Type: text/plain', token)).toBe(415)
  expect(await status(host, json)).toBe(401)
  expect(await status(host, json, 'Authorization: Bearer other')).toBe(401)
  expect(await status('Host: rebound.test', json, token)).toBe(403)
  expect(await status(host, json, token, 'Origin: null')).toBe(403)
  expect(await statusOf(url, ['GET /withdrawals/1 HTTP/1.1', host, token])).toBe(404)
  expect(await status(host, json, token)).toBe(201)
  expect(await program.stop()).toBe(0)
})

import { createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import type { Diagnosis } from '../../src/operations/diagnosis/report.js'
import { eachFile } from '../lifetimes.js'
import { serveHttp } from '../hostile/http-server.js'
import { freePort } from '../free-port.js'
import { listen } from '../listen.js'
import { runCollected } from './run-collected.js'

const devnode = eachFile(() => createDevnode({ blockInterval: 50, accounts: 1 }))

const doctor = (...args: string[]) => runCollected('doctor', '--network=simnet', '--timeout=25000', ...args)

const ofDevnode = () => [`--url=${devnode.urls.borsh}`, `--rest=${devnode.urls.rest}`]

it('prints a table and exits with 0 for a healthy node', async () => {
  const { code, out } = await doctor(...ofDevnode())
  const lines = out.split('\n')
  expect(lines).toContain('ok       network         The node serves simnet')
  expect(lines).toContain(`ok       indexer         The indexer at ${devnode.urls.rest} responds`)
  expect(lines.slice(-3)).toEqual(['skipped  resolver, wasm, wallets, sharing', '', 'No check failed.'])
  expect(code).toBe(0)
})

it('prints JSON with --json', async () => {
  const { code, out } = await doctor(...ofDevnode(), '--json', '--encoding=SerdeJson')
  const report = JSON.parse(out) as Diagnosis
  expect([code, report.ok]).toEqual([1, false])
  expect(report.checks.find(({ id }) => id === 'encoding')?.summary).toBe(
    'The node speaks wRPC in Borsh, not in SerdeJson',
  )
})

it('exits with 1 and names the remedy where nothing listens', async () => {
  const url = `127.0.0.1:${await freePort()}`
  const { code, out } = await doctor(`--url=ws://${url}`, `--rest=${devnode.urls.rest}`)
  expect(code).toBe(1)
  expect(out).toContain(`FAILED   reachable       No server listens at ${url}`)
  expect(out).toContain('→ Start a node there, or set url to a running node.')
  expect(out.endsWith('\n1 check failed.')).toBe(true)
})

it('recognises a web server', async () => {
  const { url } = await serveHttp((_, response) => response.end('<html></html>'))
  const { code, out } = await doctor(`--url=${url.replace('http', 'ws')}`, `--rest=${url}`)
  expect(code).toBe(1)
  expect(out).toContain('FAILED   handshake       A web server responds with status 200 and opens no WebSocket')
  expect(out).toContain('responds, but not as an indexer of Kaspa')
  expect(out.endsWith('\n2 checks failed.')).toBe(true)
})

it('recognises a gRPC port', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).write('\0\0\0\x04\0\0\0\0\0'))
  const { port, close } = await listen(server)
  onTestFinished(close)
  const { code, out } = await doctor(`--url=ws://127.0.0.1:${port}`, `--rest=${devnode.urls.rest}`)
  expect(code).toBe(1)
  expect(out).toContain('this is probably the gRPC or P2P port of a node')
})

it('recognises another network', async () => {
  const { code, out } = await doctor(...ofDevnode(), '--network=devnet')
  expect(code).toBe(1)
  expect(out).toContain('FAILED   network         The node serves simnet, not devnet')
  expect(out).toContain('FAILED   indexer-network The indexer serves simnet, not devnet')
})

it.each([
  [['--colour'], "vue-chain doctor: Unknown option '--colour'. See --help."],
  [['--network=testnet'], 'vue-chain doctor: "testnet" is no network. See --help.'],
  [['--encoding=borsh'], 'vue-chain doctor: "borsh" is no encoding. See --help.'],
  [['--timeout=soon'], 'vue-chain doctor: "soon" is no number of milliseconds. See --help.'],
  [
    ['--url=http://node'],
    'vue-chain doctor: Option "url" must be a WebSocket URL such as "ws://127.0.0.1:17110" or "wss://node.example", or a host, not "http://node". Set "url" to a WebSocket URL such as "ws://127.0.0.1:17110" or "wss://node.example", or a host, or leave it out.',
  ],
])('exits with 2 for %s', async (args, err) => {
  expect(await doctor(...args)).toEqual({ code: 2, out: '', err })
})

it('prints its flags with --help', async () => {
  const { code, out } = await doctor('--help')
  expect(code).toBe(0)
  expect(out).toContain('  --url                 the node')
})

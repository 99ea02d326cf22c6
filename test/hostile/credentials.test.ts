import { firstValueFrom } from 'rxjs'
import { inspect } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createJsonLogger } from '../../src/cli/run-service.js'
import { runCli } from '../../src/cli/run-cli.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { guarded } from '../../src/engine/resolve-options.js'
import { createRecorder } from '../../src/engine/recorder/create-recorder.js'
import { ChainError } from '../../src/errors/chain-error.js'
import type { ChainLogger } from '../../src/platform/port.js'
import { createRestClient } from '../../src/rest/client.js'
import { dehydrateRest } from '../../src/rest/hydration.js'
import { startWireNode, ENCODINGS, SERVER_INFO } from '../wire-node.js'
import { json, serveHttp } from './http-server.js'

const SECRET = 'Zq7"`hunter2'
const KEY = '0123456789abcdef'.repeat(4) // as long as a transaction id
const ID = 'f'.repeat(64)

/** Everything that is logged. */
function createLog(): { readonly lines: unknown[]; readonly logger: ChainLogger } {
  const lines: unknown[] = []
  const line = (...words: unknown[]): void => void lines.push(words)
  return { lines, logger: { debug: line, info: line, warn: line, error: line } }
}

const textOf = (value: unknown): string => inspect(value, { depth: 12, showHidden: true })

describe('P1: a credential', () => {
  it.each(['pass', 'cred', 'session', 'X-Amz-Signature'])(
    'in the parameter %s is in no field of an error',
    async (name) => {
      const server = await serveHttp((request, response) => response.writeHead(404).end(`no ${request.url}`))
      const client = createRestClient({ baseUrl: server.url })
      const error = await client.request('GET', `/x?${name}=hunter2`).catch((failure: unknown) => failure)
      expect(error).toMatchObject({ code: 'http', url: `${server.url}/x?${name}=***` })
      expect(textOf(error) + String(error) + JSON.stringify(error)).not.toContain('hunter2')
    },
  )

  it.each(['pass', 'cred'])('in the parameter %s is in no rendered page', async (name) => {
    const server = await serveHttp(json({ price: 1 }))
    const client = createRestClient({ baseUrl: server.url })
    await client.request('GET', `/info/price?${name}=hunter2`)
    expect(client.cacheSize).toBe(1)
    expect(dehydrateRest(client)).not.toContain('hunter2')
  })

  it('that is a path segment of the base URL is in no error; the id that is appended is', async () => {
    const server = await serveHttp((request, response) => response.writeHead(500).end(`Cannot GET ${request.url}`))
    const client = createRestClient({ baseUrl: `${server.url}/${KEY}`, retries: 0 })
    const error = await client.getTransaction(ID).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ url: expect.stringContaining(`${server.url}/***/transactions/${ID}`) as string })
    expect(textOf(error) + JSON.stringify(error)).not.toContain(KEY)
  })

  it('is in no state, log, error or recording of an engine', async () => {
    const node = await startWireNode('Borsh', { getServerInfo: () => ({ ...SERVER_INFO, networkId: 'mainnet' }) })
    onTestFinished(() => node.close())
    const { lines, logger } = createLog()
    const recorder = createRecorder()
    const url = node.url().replace('ws://', `ws://user:${SECRET} x@`)
    const engine = createChainEngine({
      network: 'simnet',
      url: `${url}/${KEY}?plain=${SECRET}`,
      logger,
      recorder,
      reconnect: false,
    })
    onTestFinished(() => engine.dispose())
    const states: unknown[] = []
    engine.connection.state$.subscribe((state) => states.push(state))
    const error = await engine.connection.connect().catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 'wrong-network' })
    const metrics = [recorder.export(), recorder.records(), await firstValueFrom(engine.connection.state$)]
    for (const seen of [states, lines, error, metrics]) expect(textOf(seen)).not.toMatch(/Zq7|hunter2|0123456789abcdef/)
  })

  it('in an invalid option is not in the error', () => {
    const url = `postgres://user:${SECRET} and more than one hundred characters ${'x'.repeat(100)}@host`
    expect(() => createChainEngine({ url })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('Zq7') as string }) as Error,
    )
  })

  it('in a field of a cause, as Node’s errors have it, is not in the error', () => {
    const cause = Object.assign(new TypeError('Invalid URL'), {
      input: `wss://user:${SECRET}@host:x`,
      code: 'ERR_INVALID_URL',
    })
    const error = new ChainError('failed', { cause })
    expect(textOf(error)).not.toContain('hunter2')
    expect(error.cause).toMatchObject({ name: 'TypeError', code: 'ERR_INVALID_URL', input: 'wss://***@host:x' })
  })

  it('in one of several causes is not in the error', () => {
    const inner = new Error(`wss://user:${SECRET}@host failed`)
    const cause = new AggregateError([inner], 'all failed')
    expect(textOf(new ChainError('failed', { cause }))).not.toContain('hunter2')
    expect(textOf(new ChainError('failed', { cause: [inner] }))).not.toContain('hunter2')
  })
})

/** Clears the screen, forges a line of the report and turns the direction of the text. */
const FORGED = '2.1.0\u001b[2J\u001b]0;owned\u0007\nok       wallets         fine\u202e\u009b1m'
// eslint-disable-next-line no-control-regex -- what may not reach a terminal
const RAW = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

async function doctor(...args: string[]) {
  const out: string[] = []
  const print = (line: string): void => void out.push(line)
  await runCli(['doctor', '--network=simnet', '--timeout=5000', ...args], {
    print,
    printError: print,
    untilInterrupted: () => Promise.resolve(),
  })
  return out.join('\n')
}

describe('P2: control and bidirectional characters', () => {
  it.each(ENCODINGS)('of a node’s version reach no terminal (%s)', async (encoding) => {
    const node = await startWireNode(encoding, { getServerInfo: () => ({ ...SERVER_INFO, serverVersion: FORGED }) })
    onTestFinished(() => node.close())
    const server = await serveHttp((_, response) =>
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: FORGED })),
    )
    const out = await doctor(`--url=${node.url()}`, `--rest=${server.url}`, `--encoding=${encoding}`)
    expect(out).toContain('2.1.0\\u001b[2J\\u001b]0;owned\\u0007\\u000aok')
    expect(out).not.toMatch(RAW)
    expect(out.split('\n').filter((line) => line.startsWith('ok       wallets'))).toEqual([])
  })

  it('of an indexer are escaped in errors', async () => {
    const server = await serveHttp((_, response) =>
      response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ detail: FORGED })),
    )
    const error = await createRestClient({ baseUrl: server.url, retries: 0 })
      .getBlockDag()
      .catch((failure: unknown) => failure)
    expect(String(error)).toContain('\\u001b')
    expect(String(error).split('\n')[0]).not.toMatch(RAW)
  })

  it('are escaped in every log line', () => {
    const lines: string[] = []
    const error = new Error(FORGED, { cause: new Error(FORGED) })
    createJsonLogger((line) => void lines.push(line)).warn(FORGED, { error, list: [{ text: FORGED }] })
    const { lines: own, logger } = createLog()
    guarded(logger).warn(FORGED, { error, list: [{ text: FORGED }] })
    const texts: string[] = []
    for (const line of [...lines, JSON.stringify(own)]) {
      JSON.parse(line, (_, value: unknown) => (typeof value === 'string' ? texts.push(value) : value))
    }
    expect(texts.join('')).toContain('\\u001b[2J')
    expect(texts.join('')).not.toMatch(RAW)
  })
})

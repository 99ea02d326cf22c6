import { createServer, type Socket } from 'node:net'
import { BehaviorSubject, type SchedulerAction, type SchedulerLike } from 'rxjs'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDevnode } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../src/engine/options.js'
import type { RpcResponse } from '../../src/node/messages/records.js'
import type { CheckId, DiagnoseOptions, DiagnosisCheck } from '../../src/operations/diagnosis/report.js'
import type { Platform } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { light } from '../../src/sdk/light/light.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { createScriptedNode, type ScriptedNode } from '../../src/testing/scripted-node.js'
import { createTestPage, createTestWallets } from '../../src/testing/wallets/page.js'
import { createFakeWalletA } from '../../src/testing/wallets/wallet-a/fake.js'
import { eachFile } from '../lifetimes.js'
import { json, serveHttp } from '../hostile/http-server.js'
import { freePort } from '../free-port.js'
import { listen } from '../listen.js'
import { startWebSocketServer } from '../web-socket-server.js'

const devnode = eachFile(() => createDevnode({ blockInterval: 50, accounts: 1 }))
afterEach(() => {
  devnode.faults.clear()
  vi.unstubAllGlobals()
})

/** A healthy app: a node that mines, its indexer, no WASM. */
const healthy = (): ChainEngineOptions => ({
  network: 'simnet',
  url: devnode.urls.borsh,
  restUrl: devnode.urls.rest,
  sdk: light,
})

/** The timers and the clock of the platform run five times as fast. */
function fastScheduler(): SchedulerLike {
  const { scheduler } = createServerPlatform()
  return {
    now: () => 5 * scheduler.now(),
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T) {
      return scheduler.schedule(work, delay / 5, state)
    },
  }
}

const platformWith = (overrides: Partial<Platform>): ChainEngineOptions['ports'] => ({
  platform: { ...createServerPlatform(), ...overrides },
})

/** A busy machine responds late. */
const DEPENDS_ON_LOAD: ReadonlySet<CheckId> = new Set<CheckId>(['page', 'round-trip'])

/** A bound for busy machines. */
const PATIENT: DiagnoseOptions = { timeout: 25_000 }

type Report = Readonly<Record<CheckId, DiagnosisCheck>> & { readonly all: readonly DiagnosisCheck[] }

/** The report of an engine with these options, by check. */
async function diagnose(options: ChainEngineOptions = {}, settings: DiagnoseOptions = PATIENT): Promise<Report> {
  const engine = createChainEngine({ ...healthy(), ...options })
  try {
    const { ok, checks } = await engine.diagnose(settings)
    expect(ok).toBe(checks.every(({ status }) => status !== 'failed'))
    for (const { id, status, remedy } of checks)
      expect([id, status === 'failed' && remedy === null]).toEqual([id, false])
    const byId = Object.fromEntries(checks.map((check) => [check.id, check])) as Record<CheckId, DiagnosisCheck>
    return { ...byId, all: checks }
  } finally {
    await engine.dispose()
  }
}

/** A TCP server on loopback, closed with the test. */
async function serveTcp(onConnection: (socket: Socket) => void): Promise<string> {
  const { port, close } = await listen(createServer((socket) => onConnection(socket.on('error', () => undefined))))
  onTestFinished(close)
  return `ws://127.0.0.1:${port}`
}

describe('the diagnosis of a healthy app', () => {
  it('has every check once, in order, none failed', async () => {
    const { all } = await diagnose()
    expect(all.map(({ id, status }) => `${id} ${DEPENDS_ON_LOAD.has(id) ? 'ok' : status}`)).toEqual([
      'online ok',
      'page ok',
      'url ok',
      'resolver skipped',
      'reachable ok',
      'handshake ok',
      'encoding ok',
      'network ok',
      'synced ok',
      'utxo-index ok',
      'version ok',
      'daa-score ok',
      'clock ok',
      'round-trip ok',
      'indexer ok',
      'indexer-network ok',
      'indexer-lag ok',
      'wasm skipped',
      'wallets skipped',
      'sharing skipped',
    ])
  })

  it('checks the URL in use, and leaves the connection alone', async () => {
    const engine = createChainEngine({ ...healthy(), url: undefined, urls: [devnode.urls.json] })
    await engine.connection.connect({ url: devnode.urls.borsh })
    const statuses: string[] = []
    engine.connection.state$.subscribe(({ status }) => statuses.push(status))
    const { ok, checks } = await engine.diagnose()
    expect(ok).toBe(true)
    expect(checks.find(({ id }) => id === 'url')?.detail).toBe('1 further URLs are configured and were not checked.')
    expect(statuses).toEqual(['connected'])
    await engine.dispose()
  })

  it('is aborted by a signal, and rejected after dispose()', async () => {
    const engine = createChainEngine({ ...healthy(), url: await serveTcp(() => undefined) })
    const abort = new AbortController()
    const report = engine.diagnose({ signal: abort.signal })
    abort.abort('enough')
    await expect(report).rejects.toMatchObject({ code: 'aborted' })
    await expect(engine.diagnose({ signal: abort.signal })).rejects.toMatchObject({ code: 'aborted' })
    await expect(engine.diagnose({ timeout: 0 })).rejects.toMatchObject({ argument: 'timeout' })
    await engine.dispose()
    await expect(engine.diagnose()).rejects.toMatchObject({ code: 'disposed' })
  })

  it('masks credentials', async () => {
    const url = `ws://user:hunter2@127.0.0.1:${await freePort()}/?token=hunter2`
    expect(JSON.stringify((await diagnose({ url })).all)).not.toContain('hunter2')
  })
})

describe('the environment', () => {
  it('fails offline', async () => {
    const { online } = await diagnose({ ports: platformWith({ online$: new BehaviorSubject(false) }) })
    expect(online).toMatchObject({ status: 'failed', remedy: 'Check the network connection of this device.' })
  })

  it('warns of a hidden page', async () => {
    const { page } = await diagnose({ ports: platformWith({ visible$: new BehaviorSubject(false) }) })
    expect(page).toMatchObject({ status: 'warning', summary: 'The page is hidden, and browsers throttle it' })
  })

  it('warns of timers that fire late', async () => {
    const { scheduler } = createServerPlatform()
    let jump = 0
    const late = { ...scheduler, now: () => (jump += 600) }
    const { page } = await diagnose({ ports: platformWith({ scheduler: late }) })
    expect(page.status).toBe('warning')
    expect(page.summary).toMatch(/^Timers fire \d+ ms late$/)
  })
})

describe('the URL', () => {
  it.each([
    ['ws://127.0.0.1:16110', 'Port 16110 is the usual gRPC port of a node, not wRPC', '17110', 'mainnet'],
    ['ws://127.0.0.1:16511', 'Port 16511 is the usual P2P port of a node, not wRPC', '17510', 'simnet'],
    ['ws://127.0.0.1:18210', 'Port 18210 is the usual wRPC port of SerdeJson, not of Borsh', '17210', 'testnet-10'],
  ])('warns of %s', async (url, summary, port, network) => {
    const remedy = `Set url to port ${port}, the one of wRPC for Borsh on ${network}.`
    expect((await diagnose({ url })).url).toMatchObject({ status: 'warning', summary, remedy })
  })

  it('fails for mixed content, and skips what needs a connection', async () => {
    const {
      url,
      reachable,
      'round-trip': roundTrip,
    } = await diagnose({
      url: 'ws://node.example:17110',
      ports: platformWith({ secure: true }),
    })
    expect(url.status).toBe('failed')
    expect(url.summary).toBe(
      'An https page may not open ws://node.example:17110, which is not encrypted (mixed content)',
    )
    expect([reachable.status, roundTrip.status]).toEqual(['skipped', 'skipped'])
  })
})

describe('the resolver', () => {
  it('fails where none returns a node', async () => {
    const { url } = await serveHttp((_, response) => response.writeHead(503).end())
    const report = await diagnose({ url: undefined, resolver: true, resolvers: [url] })
    expect(report.resolver).toMatchObject({ status: 'failed', summary: 'No resolver returns a node' })
    expect([report.url.status, report.encoding.status]).toEqual(['skipped', 'skipped'])
  })

  it('provides the URL that is checked', async () => {
    const { url } = await serveHttp(json({ uid: 'a', url: devnode.urls.borsh }))
    const report = await diagnose({ url: undefined, resolver: true, resolvers: [url] })
    expect(report.resolver.status).toBe('ok')
    expect(report.network.status).toBe('ok')
  })
})

describe('the connection', () => {
  it('fails where nothing listens', async () => {
    const port = await freePort()
    const { reachable, handshake } = await diagnose({ url: `ws://127.0.0.1:${port}` })
    expect(reachable).toMatchObject({ status: 'failed', summary: `No server listens at 127.0.0.1:${port}` })
    expect(handshake.status).toBe('skipped')
  })

  it('fails where the server accepts, but does not respond', async () => {
    const url = await serveTcp(() => undefined)
    const { reachable } = await diagnose({ url }, { timeout: 400 })
    expect(reachable.status).toBe('failed')
    expect(reachable.summary).toBe(`${url.slice(5)} did not respond within 400 ms`)
  })

  it.each([
    [200, 'A web server responds with status 200 and opens no WebSocket'],
    [403, 'A web server responds with status 403: it demands permission'],
    [502, 'A web server responds with status 502: a proxy without its node'],
  ])('fails at a web server with status %s', async (status, summary) => {
    const { url } = await serveHttp((_, response) => response.writeHead(status).end('<html></html>'))
    const report = await diagnose({ url: url.replace('http', 'ws') })
    expect(report.reachable.status).toBe('ok')
    expect(report.handshake).toMatchObject({ status: 'failed', summary })
  })

  it('fails at a gRPC port, which speaks HTTP/2', async () => {
    const settings = Buffer.from('000000040000000000', 'hex')
    const url = await serveTcp((socket) => {
      socket.write(settings)
    })
    const { handshake } = await diagnose({ url })
    expect(handshake.status).toBe('failed')
    expect(handshake.summary).toBe(
      'The server speaks neither HTTP nor WebSocket: this is probably the gRPC or P2P port of a node',
    )
  })

  it('fails where the server closes the connection', async () => {
    const url = await serveTcp((socket) => socket.destroy())
    expect((await diagnose({ url })).handshake).toMatchObject({
      status: 'failed',
      detail: expect.any(String) as string,
    })
  })

  it('fails without TLS at a wss URL', async () => {
    const { url } = await serveHttp((_, response) => response.end())
    const { handshake } = await diagnose({ url: url.replace('http', 'wss') })
    expect(handshake).toMatchObject({ status: 'failed', summary: 'TLS could not be established' })
  })

  it('requests the server by HTTP where the environment hides the reason', async () => {
    const hidden: Platform['openSocket'] = () => Promise.reject(new Error('hidden'))
    const { url } = await serveHttp((_, response) => response.end())
    const open = await diagnose({ url: url.replace('http', 'ws'), ports: platformWith({ openSocket: hidden }) })
    expect(open.handshake).toMatchObject({
      status: 'failed',
      summary: 'A web server responds with status 200 and opens no WebSocket',
    })
    const closed = await diagnose({
      url: `ws://127.0.0.1:${await freePort()}`,
      ports: platformWith({ openSocket: hidden }),
    })
    expect(closed.reachable.status).toBe('failed')
  })

  it('fails at the port of the other encoding', async () => {
    const { encoding } = await diagnose({ url: devnode.urls.json })
    expect(encoding).toMatchObject({
      status: 'failed',
      summary: 'The node speaks wRPC in SerdeJson, not in Borsh',
      remedy: "Set encoding to 'SerdeJson', or url to the node's port for Borsh: each encoding has its own port.",
    })
    const json = await diagnose({ url: devnode.urls.borsh, encoding: 'SerdeJson' })
    expect(json.encoding.summary).toBe('The node speaks wRPC in Borsh, not in SerdeJson')
  })

  it('fails at a WebSocket server that is no node', async () => {
    const server = await startWebSocketServer((client) => client.on('message', () => client.close()))
    onTestFinished(() => server.close())
    const { encoding } = await diagnose({ url: server.url })
    expect(encoding).toMatchObject({
      status: 'failed',
      summary: 'The server opens WebSockets, but does not speak wRPC',
    })
  })
})

describe('the node', () => {
  it('fails for another network', async () => {
    devnode.faults.wrongNetwork({ network: 'testnet-10' })
    const { network } = await diagnose()
    expect(network).toMatchObject({
      status: 'failed',
      summary: 'The node serves testnet-10, not simnet',
      remedy: "Set network to 'testnet-10', or url to a node of simnet.",
    })
  })

  it('fails while it syncs', async () => {
    devnode.faults.notSynced()
    expect((await diagnose()).synced).toMatchObject({ status: 'failed' })
  })

  it('fails without a UTXO index', async () => {
    devnode.faults.noUtxoIndex()
    const { 'utxo-index': utxoIndex } = await diagnose()
    expect(utxoIndex.remedy).toBe('Start the node with --utxoindex, or set url to such a node.')
  })

  it.each([
    ['0.14.1', 'failed', 'Update the node to 0.15.0 or later.'],
    ['1.0.1', 'warning', 'Update the node to 2.x.'],
  ] as const)('of version %s is reported as %s, with the methods it lacks', async (serverVersion, status, remedy) => {
    const node = nodeWith({ serverVersion })
    const { version } = await diagnose({ ports: { node } })
    expect(version).toMatchObject({ status, remedy })
    expect(version.detail).toContain('getVirtualChainFromBlockV2 (1.1.0)')
  })

  it('fails where the DAA score stands still, and the clock is skipped without metrics', async () => {
    const node = createScriptedNode({ networkId: 'mainnet' })
    const ports = { node, ...platformWith({ scheduler: fastScheduler() }) }
    const { 'daa-score': score, clock } = await diagnose({ network: 'mainnet', ports })
    expect(score).toMatchObject({ status: 'failed', summary: 'The DAA score has been 0 for 3000 ms' })
    expect(clock.status).toBe('skipped') // the scripted node has no metrics
  })

  it('warns of a standing score without a miner', async () => {
    const ports = { node: createScriptedNode(), ...platformWith({ scheduler: fastScheduler() }) }
    const { 'daa-score': score } = await diagnose({ ports })
    expect(score).toMatchObject({ status: 'warning', remedy: 'Start a miner, or mine by hand.' })
  })

  it.each([
    [-60_000, 'warning', /ahead of this one$/],
    [3_600_000, 'failed', /behind this one$/],
  ] as const)('reports a clock that differs by %s ms as %s', async (shift, status, summary) => {
    const { clock } = await diagnose({ ports: platformWith({ now: () => Date.now() + shift }) })
    expect(clock).toMatchObject({ status, summary: expect.stringMatching(summary) as string })
  })

  it('warns of slow responses, and fails without a response to a ping', async () => {
    devnode.faults.delay({ ms: 110 })
    const slow = await diagnose({ ports: platformWith({ scheduler: fastScheduler() }) }, { timeout: 100_000 })
    expect(slow['round-trip'].status).not.toBe('ok') // a busy machine may make it fail
    expect(slow['round-trip'].remedy).toBe(
      'Use a node that is closer, and check the load of the node and the connection.',
    )
    devnode.faults.clear()
    devnode.faults.failCall({ method: 'ping' })
    const { 'round-trip': roundTrip } = await diagnose()
    expect(roundTrip).toMatchObject({ status: 'failed', detail: expect.stringContaining('Injected failure') as string })
  })
})

/** A node with this information, whose score grows with each request. */
function nodeWith(info: Partial<RpcResponse<'getServerInfo'>>): ScriptedNode {
  const node = createScriptedNode()
  let requests = 0n
  node.respond('getServerInfo', () =>
    fixtures.serverInfo({ ...info, virtualDaaScore: (info.virtualDaaScore ?? 100_000n) + requests++ }),
  )
  return node
}

describe('the indexer', () => {
  it('fails where nothing listens', async () => {
    const { indexer: rest, 'indexer-lag': lag } = await diagnose({ restUrl: `http://127.0.0.1:${await freePort()}` })
    expect(rest).toMatchObject({ status: 'failed', summary: expect.stringContaining('cannot be reached') as string })
    expect(lag.status).toBe('skipped')
  })

  it.each([
    [401, 'Pass the credentials of the indexer as the option rest.headers.'],
    [429, 'Send fewer requests: raise staleTime, or use an indexer of your own.'],
    [500, 'The server is broken: try again later, or set another restUrl.'],
  ])('fails with status %s', async (status, remedy) => {
    const { url } = await serveHttp((_, response) => response.writeHead(status).end())
    expect((await diagnose({ restUrl: url })).indexer).toMatchObject({ status: 'failed', remedy })
  })

  it('fails at a web server that is no indexer', async () => {
    const { url } = await serveHttp((_, response) => response.end('<html></html>'))
    expect((await diagnose({ restUrl: url })).indexer.summary).toBe(
      `The indexer at ${url} responds, but not as an indexer of Kaspa`,
    )
  })

  it('fails for another network', async () => {
    const other = await createDevnode({ network: 'devnet', blockInterval: 0, accounts: 1 })
    onTestFinished(() => other.close())
    const report = await diagnose({ restUrl: other.urls.rest })
    expect(report['indexer-network']).toMatchObject({
      status: 'failed',
      summary: 'The indexer serves devnet, not simnet',
    })
    expect(report['indexer-lag'].status).toBe('skipped')
  })

  it.each([
    [1_000n, 'warning'],
    [100_000n, 'failed'],
  ] as const)('that is %s scores behind the node is reported as %s', async (ahead, status) => {
    const node = nodeWith({ virtualDaaScore: devnode.expected.virtualDaaScore() + ahead })
    expect((await diagnose({ ports: { node } }))['indexer-lag']).toMatchObject({
      status,
      remedy: 'Wait until the indexer has caught up, or set another restUrl.',
    })
  })
})

describe('the WASM file', () => {
  const served = async (status: number, headers: Record<string, string>): Promise<DiagnosisCheck> => {
    const { url } = await serveHttp((_, response) => response.writeHead(status, headers).end())
    return (await diagnose({ sdk: undefined, wasmUrl: `${url}/kaspa_bg.wasm` })).wasm
  }

  it.each([
    [404, {}, 'failed', /responds with status 404$/],
    [200, { 'content-type': 'text/html' }, 'failed', /is a web page, not the WASM file$/],
    [200, { 'content-type': 'text/plain' }, 'warning', /has another MIME type than application\/wasm$/],
    [200, { 'content-type': 'application/wasm', 'content-length': '11000000' }, 'warning', /is not compressed$/],
    [200, { 'content-type': 'application/wasm', 'content-encoding': 'br' }, 'ok', /is served correctly$/],
  ] as const)('served with %s and %o is reported as %s', async (status, headers, result, summary) => {
    expect(await served(status, headers)).toMatchObject({
      status: result,
      summary: expect.stringMatching(summary) as string,
    })
  })

  it('fails where its server cannot be reached', async () => {
    const { wasm } = await diagnose({ sdk: undefined, wasmUrl: `http://127.0.0.1:${await freePort()}/a.wasm` })
    expect(wasm).toMatchObject({ status: 'failed', summary: 'The WASM file cannot be fetched' })
  })

  it('is found beside the library under Node, and missed where it is not', async () => {
    expect((await diagnose({ sdk: undefined })).wasm).toMatchObject({ status: 'ok', detail: expect.stringMatching(/^\d{8} bytes$/) as string }) // prettier-ignore
    const missing = await diagnose({ sdk: undefined, wasmUrl: 'file:///nowhere/kaspa_bg.wasm' })
    expect(missing.wasm.summary).toBe('There is no WASM file at file:///nowhere/kaspa_bg.wasm')
  })

  it('fails where the Content-Security-Policy forbids WASM', async () => {
    const compile = () => Promise.reject(new EvalError("Refused to compile: 'wasm-unsafe-eval'"))
    vi.stubGlobal('WebAssembly', { ...WebAssembly, compile })
    const { wasm } = await diagnose({ sdk: undefined })
    expect(wasm).toMatchObject({ status: 'failed', summary: 'This page may not compile WASM' })
    expect(wasm.remedy).toContain("'wasm-unsafe-eval'")
  })
})

describe('the wallets', () => {
  it('are listed', async () => {
    const page = createTestPage()
    createFakeWalletA({ page, checkIn: 0 }).install()
    const { wallets } = await diagnose({ ports: { wallets: createTestWallets(page) } })
    expect(wallets).toMatchObject({ status: 'ok', summary: 'Installed: KasWare' })
  })

  it('are skipped where none is installed', async () => {
    const { wallets } = await diagnose({ ports: { wallets: createTestWallets(createTestPage()) } })
    expect(wallets).toMatchObject({ status: 'skipped', summary: 'No wallet extension is installed' })
  })

  it('fail where the connected one is on another network', async () => {
    const page = createTestPage()
    createFakeWalletA({ page, checkIn: 0 }).install()
    const engine = createChainEngine({ ...healthy(), ports: { wallets: createTestWallets(page) } })
    onTestFinished(() => engine.dispose())
    await engine.wallet.connect('walletA')
    const { checks } = await engine.diagnose()
    expect(checks.find(({ id }) => id === 'wallets')).toMatchObject({
      status: 'failed',
      summary: 'KasWare is connected with mainnet, the app with simnet',
      remedy: "Switch the wallet to simnet, or the app to the wallet's network.",
    })
  })
})

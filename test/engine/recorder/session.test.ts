import { filter, firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { createRecorder } from '../../../src/engine/recorder/create-recorder.js'
import type { Recorder, FlightRecord } from '../../../src/engine/recorder/recorder.js'
import type { Recording } from '../../../src/engine/recorder/recording.js'
import { POLL_LIMIT } from '../../limits.js'

const KAS = 100_000_000n

let devnode: Devnode
let engine: ChainEngine
let recorder: Recorder

const recorded = <Type extends FlightRecord['type']>(type: Type): Extract<FlightRecord, { type: Type }>[] =>
  recorder.records().filter((record): record is Extract<FlightRecord, { type: Type }> => record.type === type)

beforeAll(async () => {
  devnode = await createDevnode({ blockInterval: 0, accounts: 2 })
  recorder = createRecorder({ captureFrames: true })
  const url = `${devnode.urls.borsh.replace('//', '//user:hunter2@')}/?token=hunter2`
  const reconnect = { maxRetries: Infinity, baseDelay: 20, maxDelay: 100 }
  engine = createChainEngine({ network: 'simnet', url, reconnect, restUrl: devnode.urls.rest, recorder })
  await Promise.all([engine.connection.connect(), engine.wasm.init()])
  await runSession()
})

afterAll(async () => {
  await engine.dispose()
  await devnode.close()
})

const untilTrue = (test: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await test()).toBe(true), POLL_LIMIT)

/** A payment with its confirmation, a reorg, REST calls, a drop, and a wallet that is not installed. */
async function runSession(): Promise<void> {
  const [from, to] = devnode.accounts
  if (from === undefined || to === undefined) throw new Error('Make more accounts')
  const state$ = engine.utxos([from.address]).state$
  const following = state$.subscribe()
  following.add(engine.acceptedTransactions$().subscribe())
  const { entries } = await firstValueFrom(state$.pipe(filter(({ freshness }) => freshness === 'fresh')))
  const outputs = [{ address: to.address, amount: KAS }]
  const { transactionIds } = await engine.transactions.send({
    entries,
    outputs,
    changeAddress: from.address,
    privateKeys: [from.privateKeyHex],
  })
  following.add(engine.transactionStatus$(transactionIds[0] ?? '', { confirmations: 2 }).subscribe())
  await untilTrue(() => recorded('payment').some(({ phase }) => phase === 'mempool'))
  await untilTrue(async () => {
    await devnode.mine(1)
    return recorded('payment').some(({ phase }) => phase === 'accepted')
  })
  await devnode.mine(5)
  await devnode.reorg({ depth: 2 })
  await engine.rest.getAddressBalance(from.address)
  await engine.rest.getAddressBalance(from.address)
  await engine.rest.request('GET', '/nothing?apiKey=hunter2').catch(() => undefined)
  await engine.wallet.connect('walletA').catch(() => undefined)
  await engine.rpc.getBlocks({ lowHash: devnode.expected.chain()[0] ?? '' })
  devnode.faults.drop()
  await untilTrue(() => engine.metrics().reconnects > 0)
  following.unsubscribe()
}

describe('a recorder', () => {
  it('records dials and every transition of the connection, with the reason of a drop', () => {
    expect(recorded('dial')[0]).toMatchObject({ encoding: 'Borsh' })
    const statuses = new Set(recorded('connection').map(({ status }) => status))
    expect([...statuses]).toEqual(['connecting', 'connected', 'reconnecting'])
    expect(recorded('connection').find(({ status }) => status === 'reconnecting')?.reason).toBe('connection-lost')
  })

  it('records calls with their bytes, duration and outcome', () => {
    const [info] = recorded('call').filter(({ method }) => method === 'getServerInfo')
    expect(info).toMatchObject({ outcome: 'ok', sent: 16 })
    expect(info?.received).toBeGreaterThan(30)
    expect(info?.ms).toBeGreaterThanOrEqual(0)
  })

  it('records notifications with their bytes and content, UTXO changes, backfills and rollbacks', () => {
    const changed = recorded('notification').find(({ notification }) => notification === 'utxos-changed')
    expect(changed?.bytes).toBeGreaterThan(100)
    expect(changed?.count).toBeGreaterThanOrEqual(2)
    expect(recorded('utxos')[0]).toMatchObject({ from: 'snapshot', addresses: 1, added: 10, removed: 0 })
    expect(recorded('utxos').some(({ from, removed }) => from === 'notification' && removed > 0)).toBe(true)
    expect(recorded('backfill').some(({ method, blocks }) => method === 'getBlocks' && blocks > 5)).toBe(true)
    expect(recorded('rollback')[0]?.blocks).toBeGreaterThanOrEqual(1)
  })

  it('records a payment by phase', () => {
    const phases = recorded('payment').map(({ phase }) => phase)
    const expected = ['started', 'submitted', 'mempool', 'accepted'] as const
    expect(expected.map((phase) => phases.includes(phase))).toEqual([true, true, true, true])
  })

  it('records REST calls and cache hits without the words of the path', () => {
    const balance = { method: 'GET', path: '/addresses/{address}/balance', outcome: 'ok' }
    expect(recorded('rest')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...balance, source: 'server', status: 200 }),
        expect.objectContaining({ ...balance, source: 'cache', status: null }),
        expect.objectContaining({ path: '/{…}', outcome: 'http', status: 404 }),
      ]),
    )
  })

  it('records WASM and wallet operations', () => {
    expect(recorded('wasm').map(({ status }) => status)).toEqual(['loading', 'ready'])
    expect(recorded('wallet')).toEqual([expect.objectContaining({ operation: 'connect', outcome: 'not-installed' })])
  })

  it('exports the options without credentials, and frames on request only', () => {
    const text = recorder.export()
    const recording = JSON.parse(text) as Recording
    expect(recording).toMatchObject({ format: 'vue-chain-recording', version: 1, dropped: 0 })
    expect(recording.engines[0]).toMatchObject({
      network: 'simnet',
      sdk: 'wasm',
      reconnect: { maxRetries: 'Infinity' },
    })
    expect(recording.frames).toBeUndefined()
    const withFrames = JSON.parse(recorder.export({ frames: true })) as Recording
    expect(withFrames.frames?.warning).toBe(
      'The frames contain addresses, balances and signed transactions. Share them only with people you trust.',
    )
    expect(withFrames.frames?.sockets.length).toBeGreaterThanOrEqual(2)
    expect(withFrames.frames?.sockets[0]?.events[0]?.[1]).toBe('opened')
    expect(`${text}${JSON.stringify(withFrames)}`).not.toContain('hunter2')
  })

  it('counts the metrics of the engine', () => {
    const metrics = engine.metrics()
    expect(metrics).toMatchObject({
      trackedAddresses: 1,
      trackedUtxos: expect.any(Number) as number,
    })
    expect(metrics.connections).toBeGreaterThanOrEqual(2)
    expect(metrics.lag).toBeGreaterThanOrEqual(0)
    expect(metrics.calls.find(({ method }) => method === 'getServerInfo')).toMatchObject({ outcome: 'ok' })
    expect(metrics.notifications.some(({ type, bytes }) => type === 'utxos-changed' && bytes > 0)).toBe(true)
  })
})

describe('the option recorder', () => {
  it('is rejected where it is no recorder', () => {
    const error = () => createChainEngine({ recorder: {} as unknown as Recorder })
    expect(error).toThrow('Option "recorder" must be a recorder of createRecorder(), or false, not object')
  })

  it('takes a size of at least 1', () => {
    expect(() => createRecorder({ size: 0 })).toThrow('Option "size" must be a whole number, 1 or more, not 0')
  })

  it('is needed for metrics', async () => {
    const plain = createChainEngine({ network: 'simnet', recorder: false })
    expect(() => plain.metrics()).toThrow('This engine has no recorder, which counts its metrics')
    await plain.dispose()
  })
})

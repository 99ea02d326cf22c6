import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createChainEngine } from '../../../src/engine/engine.js'
import { createCounters, LATENCY_BUCKETS } from '../../../src/engine/recorder/metrics.js'
import { createFrames, createRing } from '../../../src/engine/recorder/memory.js'
import { createRecorder, LIBRARY_VERSION } from '../../../src/engine/recorder/create-recorder.js'
import { toEndpoint, toRestPath } from '../../../src/engine/recorder/masks.js'
import type { Recorder, ConnectionRecord } from '../../../src/engine/recorder/recorder.js'
import type { Recording } from '../../../src/engine/recorder/recording.js'
import { toPrometheus } from '../../../src/engine/recorder/to-prometheus.js'
import { fromBase64, toBase64 } from '../../../src/model/base64.js'
import { collectGarbage } from '../../setup/collect-garbage.js'

const ROOT = resolve(import.meta.dirname, '../../..')

describe('a recorded endpoint', () => {
  it.each([
    ['ws://127.0.0.1:17110', 'ws://127.0.0.1:17110'],
    ['wss://node.example/', 'wss://node.example'],
    ['wss://user:secret@node.example:1/', 'wss://node.example:1'],
    ['wss://node.example/v1/secret', 'wss://node.example/***'],
    ['wss://node.example?token=secret', 'wss://node.example/***'],
    ['https://node.example/#secret', 'https://node.example'],
    ['secret', '***'],
  ])('of %s is %s', (url, endpoint) => expect(toEndpoint(url)).toBe(endpoint))
})

describe('a recorded path', () => {
  it.each([
    ['/addresses/kaspa:qq12/balance', '/addresses/{address}/balance'],
    ['/addresses/kaspatest%3Aqq12/utxos', '/addresses/{address}/utxos'],
    [`/blocks/${'ab'.repeat(32)}?includeColor=true`, '/blocks/{hash}'],
    ['/info/price', '/info/price'],
    ['/info/secret', '/info/{…}'],
    ['/info/price?token=secret', '/info/price'],
    ['/addresses/{address}/balance/2025-01', '/addresses/{…}/balance/{…}'],
  ])('of %s is %s', (path, recorded) => expect(toRestPath(path)).toBe(recorded))

  it('keeps every word of the endpoints', () => {
    const folder = resolve(ROOT, 'src/rest/endpoints')
    const code = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
    const templates = Array.from(code.join('').matchAll(/(?:get|post): '([^']+)'/g), ([, template = '']) => template)
    expect(templates.length).toBeGreaterThan(40)
    const bare = templates.map((template) => template.replace(/\/\{\w+\}/g, ''))
    expect(bare.map(toRestPath)).toEqual(bare)
  })
})

describe('a ring', () => {
  it('keeps the newest items in order and counts the others', () => {
    const ring = createRing<number>(3)
    for (const item of [1, 2]) ring.push(item)
    expect([ring.items(), ring.dropped()]).toEqual([[1, 2], 0])
    for (const item of [3, 4, 5]) ring.push(item)
    expect([ring.items(), ring.dropped()]).toEqual([[3, 4, 5], 2])
    ring.clear()
    ring.push(6)
    expect([ring.items(), ring.dropped()]).toEqual([[6], 0])
  })
})

describe('captured frames', () => {
  const frame = (size: number) => ({ at: 0, type: 'received', data: new Uint8Array(size) }) as const

  it('drop the oldest sockets whole', () => {
    const frames = createFrames(200)
    const [first, second] = [frames.open(), frames.open()]
    frames.add(first, frame(6))
    frames.add(second, frame(6))
    frames.add(first, frame(1))
    expect([frames.sockets(), frames.dropped()]).toEqual([[second], 1])
    expect(second.events).toHaveLength(1)
  })

  it('cut the only socket at the bound', () => {
    const frames = createFrames(200)
    const socket = frames.open()
    for (const size of [6, 6, 1]) frames.add(socket, frame(size))
    expect([socket.state, socket.events.length]).toEqual(['cut', 1])
  })

  it('are bounded with empty frames, and with sockets that never open', () => {
    const frames = createFrames(10_000)
    const socket = frames.open()
    for (let count = 0; count < 1_000; count++) frames.add(socket, frame(0))
    expect([socket.state, socket.events.length < 200]).toEqual(['cut', true])
    for (let count = 0; count < 1_000; count++) frames.add(frames.open(), { at: 0, type: 'closed', code: 1006 })
    expect(frames.sockets().length).toBeLessThan(100)
    expect(frames.dropped()).toBeGreaterThan(900)
  })

  it('are forgotten by clear(), also those of an open socket', () => {
    const frames = createFrames(200)
    const socket = frames.open()
    frames.add(socket, frame(6))
    frames.clear()
    frames.add(socket, frame(6))
    expect(frames.sockets()).toEqual([])
    const next = frames.open()
    frames.add(next, frame(10))
    expect(next.state).toBe('captured')
  })
})

describe('a recorder of many engines', () => {
  it('keeps nothing of the options but what it shows, of the newest engines', async () => {
    const recorder = createRecorder()
    const held = new WeakRef(createAndDispose(recorder, 0))
    for (let index = 1; index <= 30; index++) createAndDispose(recorder, index)
    const { engines } = JSON.parse(recorder.export()) as Recording
    expect(engines.map(({ requestTimeout }) => requestTimeout)).toEqual(
      Array.from({ length: 20 }, (_, at) => 1_011 + at),
    )
    await expect.poll(() => collected(held)).toBe(true)
  })

  /** The object that belongs to the app, such as the request of a server. */
  function createAndDispose(recorder: Recorder, index: number): object {
    const ofApp = { dial: () => NEVER, request: new Uint8Array(1_000) }
    const engine = createChainEngine({
      network: 'simnet',
      requestTimeout: 1_000 + index,
      recorder,
      ports: { node: ofApp },
    })
    void engine.dispose()
    return ofApp
  }

  function collected(reference: WeakRef<object>): boolean {
    collectGarbage()
    return reference.deref() === undefined
  }
})

describe('counters', () => {
  const transition = (at: number, status: ConnectionRecord['status']): ConnectionRecord => ({
    at,
    type: 'connection',
    status,
    endpoint: null,
    attempt: 0,
    reason: null,
  })

  it('count connections, reconnects and the time without a requested connection', () => {
    const { count, read } = createCounters()
    const steps = ['connecting', 'connected', 'reconnecting', 'reconnecting', 'connected', 'disconnected'] as const
    steps.forEach((status, at) => count(transition(at * 100, status)))
    expect(read(9_999)).toMatchObject({ connections: 2, reconnects: 1, isConnected: false, downtime: 300 })
    count(transition(10_000, 'connecting'))
    expect(read(10_050)).toMatchObject({ downtime: 350 })
  })

  it('count calls in cumulative buckets by method and outcome', () => {
    const { count, read } = createCounters()
    const call = { at: 0, type: 'call', method: 'ping', sent: 15, received: null } as const
    for (const ms of [3, 30, 90_000]) count({ ...call, ms, outcome: 'ok' })
    count({ ...call, ms: 1, outcome: 'timeout' })
    expect(read(0).calls).toEqual([
      { method: 'ping', outcome: 'ok', count: 3, ms: 90_033, buckets: [1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2] },
      { method: 'ping', outcome: 'timeout', count: 1, ms: 1, buckets: LATENCY_BUCKETS.map(() => 1) },
    ])
  })
})

it('formats metrics for Prometheus', () => {
  const text = toPrometheus(
    {
      connections: 2,
      reconnects: 1,
      isConnected: true,
      connectionTabs: 3,
      downtime: 1_500,
      lag: null,
      calls: [{ method: 'ping', outcome: 'ok', count: 3, ms: 40, buckets: LATENCY_BUCKETS.map(() => 3) }],
      notifications: [{ type: 'block-added', count: 7, bytes: 700 }],
      rest: [{ source: 'cache', outcome: 'ok', status: null, count: 4 }],
      trackedAddresses: 5,
      trackedUtxos: 6,
      pendingCalls: 0,
      bufferedBytes: 0,
    },
    { service: 'a "shop"' },
  )
  const lines = text.split('\n')
  expect(lines).toContain('vue_chain_connection_tabs{service="a \\"shop\\""} 3')
  expect(lines).toContain('vue_chain_downtime_seconds_total{service="a \\"shop\\""} 1.5')
  expect(lines).toContain(
    'vue_chain_call_duration_seconds_bucket{service="a \\"shop\\"",method="ping",outcome="ok",le="0.005"} 3',
  )
  expect(lines).toContain('vue_chain_call_duration_seconds_sum{service="a \\"shop\\"",method="ping",outcome="ok"} 0.04')
  expect(lines).toContain('vue_chain_notification_bytes_total{service="a \\"shop\\"",type="block-added"} 700')
  expect(text).not.toContain('lag_seconds')
  expect(lines.filter((line) => line !== '' && !/^(# (HELP|TYPE) vue_chain_\w+ .+|vue_chain_\w+\{.*\} [\d.]+)$/.test(line))).toEqual([]) // prettier-ignore
})

it('base64 keeps all bytes of a long frame', () => {
  const bytes = Uint8Array.from({ length: 20_000 }, (_, at) => at % 256)
  expect(fromBase64(toBase64(bytes))).toEqual(bytes)
})

it('the recorded version of the library is that of package.json', () => {
  const manifest = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { readonly version: string }
  expect(LIBRARY_VERSION).toBe(manifest.version)
})

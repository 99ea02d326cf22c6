import { expect, it } from 'vitest'
import { createFeed } from '../../src/feed/create-feed.js'
import * as entryPoint from '../../src/feed/index.js'
import type { FeedOptions } from '../../src/feed/options.js'
import { createJetStreamSink, type JetStreamSinkOptions } from '../../src/feed/jetstream/create-jetstream-sink.js'
import {
  createPgliteSink,
  createPostgresSink,
  type PgliteSinkOptions,
  type PostgresSinkOptions,
} from '../../src/feed/postgres/create-postgres-sink.js'
import { loadPackage } from '../../src/loading/load-code.js'
import { createChainEngine } from '../../src/engine/engine.js'

const pool = { connect: () => Promise.reject(new Error('not used')) }
const options = (): FeedOptions => ({
  engine: createChainEngine({ network: 'simnet' }),
  watch: [],
  minConfirmations: 0,
  sink: createPostgresSink({ pool }),
})

it('exports exactly these names', () => {
  expect(Object.keys(entryPoint).sort()).toEqual([
    'SessionDropped',
    'createContractFeed',
    'createFeed',
    'createJetStreamSink',
    'createPayments',
    'createPgliteSink',
    'createPostgresSink',
    'feedToPrometheus',
    'paymentsToPrometheus',
  ])
})

it.each([
  ['an unknown option', { confirmations: 3 }, 'confirmations'],
  ['a negative depth', { minConfirmations: -1 }, 'minConfirmations'],
  ['a missing depth', { minConfirmations: undefined }, 'minConfirmations'],
] as const)('rejects %s', (_, wrong, argument) => {
  const create = () => createFeed({ ...options(), ...wrong } as FeedOptions)
  expect(create).toThrow(expect.objectContaining({ code: 'invalid-argument', argument }))
})

it.each([
  ['createPostgresSink', () => createPostgresSink({ pool, scheme: 'shop' } as PostgresSinkOptions), 'scheme'],
  ['createPgliteSink', () => createPgliteSink({ client: pool } as unknown as PgliteSinkOptions), 'client'],
  ['createJetStreamSink', () => createJetStreamSink({ url: 'nats://x' } as unknown as JetStreamSinkOptions), 'url'],
] as const)('rejects an unknown option of %s', (_, create, argument) => {
  const message = `There is no option "${argument}"`
  expect(create).toThrow(expect.objectContaining({ code: 'invalid-argument', argument, message }))
})

it('rejects an unknown option of a run', async () => {
  const run = createFeed(options()).run({ signla: new AbortController().signal } as object)
  await expect(run).rejects.toMatchObject({ code: 'invalid-argument', argument: 'signla' })
})

it('rejects a table of addresses where the sink has none', () => {
  const sink = { ...createPostgresSink({ pool }), hasWatchTable: false }
  expect(() => createFeed({ ...options(), sink, watch: 'table' })).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument: 'watch' }),
  )
})

it.each(['Feed', 'drop table', '', 'a'.repeat(41)])('rejects the schema "%s"', (schema) => {
  expect(() => createPostgresSink({ pool, schema })).toThrow(expect.objectContaining({ argument: 'schema' }))
})

it('names the command that installs a missing package', async () => {
  const missing = loadPackage('@no-such/package', () => import(/* @vite-ignore */ ['@no-such', 'package'].join('/')))
  await expect(missing).rejects.toMatchObject({
    code: 'package-missing',
    message: 'The package @no-such/package is not installed',
    hint: 'npm i @no-such/package',
  })
})

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
import { loadPackage } from '../../src/loading/load-package.js'
import { createChainEngine } from '../../src/engine/engine.js'
import type { NatsConnection } from '../../src/feed/jetstream/nats-connection.js'
import { light } from '../../src/light/index.js'
import { createPayouts } from '../../src/payouts/create-payouts.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import type { PayoutReader } from '../../src/streams/payouts/payouts.js'

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

const account = 'kaspasim:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'
const other = { connect: () => Promise.reject(new Error('not used')) }
const queueOn = (journal: PayoutJournal) =>
  createPayouts({
    engine: createChainEngine({ network: 'simnet', sdk: light }),
    ...{ journal, addresses: [account], privateKeys: ['01'.repeat(32)], minConfirmations: 10 },
  })
const NO_TRANSACTION = 'has no transaction that feed and queue could share'
const JETSTREAM = createJetStreamSink({ connection: {} as NatsConnection })

it.each([
  ['no queue', { payouts: {} as PayoutReader }, 'payouts', '"payouts" is no queue'],
  [
    'a journal in memory',
    { payouts: queueOn(memoryJournal()) },
    'payouts',
    `The journal of "payouts" ${NO_TRANSACTION}`,
  ],
  [
    'a URL',
    { payouts: queueOn(postgresJournal({ database: 'postgres://host/name' })) },
    'payouts',
    `The journal of "payouts" ${NO_TRANSACTION}`,
  ],
  ['JetStream', { sink: JETSTREAM }, 'payouts', `The sink ${NO_TRANSACTION}`],
  ['a folder', { sink: createPgliteSink({ database: 'folder' }) }, 'payouts', `The sink ${NO_TRANSACTION}`],
  [
    'another pool',
    { payouts: queueOn(postgresJournal({ pool: other })) },
    'payouts',
    'The sink and the journal of "payouts" have different pools, or instances of PGlite',
  ],
  [
    'a deeper feed',
    { minConfirmations: 11 },
    'minConfirmations',
    '"minConfirmations" of the feed is 11, above that of "payouts", 10',
  ],
  ['a rewind', { rewindTo: '1' }, 'rewindTo', '"rewindTo" would take back payouts that are settled'],
  [
    'gaps',
    { onGap: 'continue' },
    'onGap',
    '"onGap" is "continue": the queue would miss what the gap has of its payments',
  ],
] as const)('rejects payouts with %s', (_, wrong, argument, message) => {
  const create = () => createFeed({ ...options(), payouts: queueOn(postgresJournal({ pool })), ...wrong })
  expect(create).toThrow(expect.objectContaining({ code: 'invalid-argument', argument, message }))
})

it('rejects payouts of another network', async () => {
  const engine = createChainEngine({ network: 'devnet' })
  const feed = createFeed({ ...options(), engine, payouts: queueOn(postgresJournal({ pool })) })
  const message = '"payouts" is of simnet, the feed of devnet'
  await expect(feed.run()).rejects.toMatchObject({ code: 'invalid-argument', argument: 'payouts', message })
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

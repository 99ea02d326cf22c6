import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createJetStreamSink } from '../../src/feed/jetstream/create-jetstream-sink.js'
import type { NatsConnection } from '../../src/feed/jetstream/nats-connection.js'
import type { FeedOptions } from '../../src/feed/options.js'
import { createPgliteSink, createPostgresSink } from '../../src/feed/postgres/create-postgres-sink.js'
import { light } from '../../src/light/index.js'
import { encodeAddress } from '../../src/model/address.js'
import { createPayouts, type Payouts } from '../../src/payouts/create-payouts.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { postgresJournal } from '../../src/payouts/stores/postgres-journal.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import type { PayoutReader } from '../../src/streams/payouts/payouts.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { createQueue, KAS, openRecipients, startNode, type TestQueue } from './support/queue.js'

const SUPPLY = 29_000_000_000n * KAS

describe('pay', () => {
  let engine: ChainEngine
  let payouts: Payouts
  let address: string
  beforeEach(async () => {
    const recipients = await openRecipients()
    address = recipients.address(1)
    engine = createChainEngine({ network: 'simnet' })
    const journal = memoryJournal()
    payouts = createPayouts({
      ...{ engine, journal, addresses: [recipients.address(0)], privateKeys: ['00'], minConfirmations: 1 },
    })
  })
  afterEach(() => engine.dispose())

  const payload = new Uint8Array(32).fill(7)
  it.each<[string, unknown, object]>([
    ['an empty id', '', {}],
    ['an id of 256 characters', 'x'.repeat(256), {}],
    ['an id with NUL', 'a\0b', {}],
    ['an id with half a surrogate pair', 'a\ud83d', {}],
    ['the other half of a surrogate pair', '\ude00a', {}],
    ['an id that is a number', 7, {}],
    ['no id', undefined, {}],
    ['an amount as a number', 'a', { amount: 500_000_000 }],
    ['an amount as text', 'a', { amount: '500000000' }],
    ['no amount', 'a', { amount: undefined }],
    ['a negative amount', 'a', { amount: -KAS }],
    ['an amount of zero', 'a', { amount: 0n }],
    ['an amount below the minimum', 'a', { amount: 19_999_999n }],
    ['an amount above the supply', 'a', { amount: SUPPLY + 1n }],
    ['an amount beyond 64 bits', 'a', { amount: 2n ** 64n }],
    ['an address of another network', 'a', { address: encodeAddress('kaspa', 'PubKey', payload) }],
    ['the address of a script', 'a', { address: encodeAddress('kaspasim', 'ScriptHash', payload) }],
    ['no address', 'a', { address: undefined }],
    ['an address with a wrong checksum', 'a', { address: 'kaspasim:qqqqqqqq' }],
    ['a time that is no time', 'a', { notBefore: new Date(Number.NaN) }],
    ['a time as text', 'a', { notBefore: '2030-01-01' }],
    ['an unknown field', 'a', { memo: 'hello' }],
  ])('refuses %s, and stores nothing', async (_, id, fields) => {
    const payment = { address, amount: KAS, ...fields }
    await expect(payouts.pay(id as string, payment)).rejects.toMatchObject({ code: 'invalid-argument' })
    expect(await payouts.list()).toEqual([])
  })

  it('takes ids of 1 and 255 characters, also of two code units', async () => {
    for (const id of ['7', 'x'.repeat(255), '\u{1f600}'])
      expect(await payouts.pay(id, { address, amount: KAS })).toMatchObject({ id, state: 'queued' })
  })

  it('takes the least amount', async () => {
    expect(await payouts.pay('least', { address, amount: 20_000_000n })).toMatchObject({ state: 'queued' })
  })

  it('refuses a queue of the same addresses under another name, on the same engine', async () => {
    const options = { engine, journal: memoryJournal(), privateKeys: ['00'], minConfirmations: 1 }
    const recipients = await openRecipients()
    expect(() => createPayouts({ ...options, name: 'other', addresses: [recipients.address(0)] })).toThrow(
      'pays from this address already',
    )
  })
})

describe('a clock that jumps', () => {
  let devnode: Devnode
  let recipients: Account
  let queue: TestQueue
  beforeEach(async () => {
    devnode = await startNode()
    recipients = await openRecipients()
    queue = createQueue([devnode], memoryJournal())
    await devnode.mine(3)
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await queue.end()
    await devnode.close()
  })

  it('neither ends nor repeats a payment, and holds one back only until its time', async () => {
    const now = Date.now()
    const YEAR = 31_536_000_000
    queue.run()
    const pay = (id: number, notBefore?: Date) =>
      queue.payouts.pay(String(id), { address: recipients.address(id), amount: KAS, notBefore })
    const stateOf = async (id: number) => (await queue.payouts.get(String(id)))?.state
    await pay(0)
    await pay(1, new Date(now + 3_600_000))
    await expect.poll(() => stateOf(0)).toBe('relayed')
    vi.setSystemTime(now - YEAR)
    await pollMined(devnode, () => stateOf(0)).toBe('settled')
    expect(await stateOf(1)).toBe('queued')
    vi.setSystemTime(now + YEAR)
    await pollMined(devnode, () => stateOf(1)).toBe('settled')
    expect([0, 1].map((id) => devnode.expected.transfers([recipients.address(id)]).length)).toEqual([1, 1])
    const { oldestSeconds, settleTimes } = await queue.payouts.metrics()
    expect([oldestSeconds.settled, settleTimes.sum].every((seconds) => Number(seconds) >= 0)).toBe(true)
  })
})

describe('a feed with a queue', () => {
  const pool = { connect: () => Promise.reject(new Error('not used')) }
  const account = 'kaspasim:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s7skwr78y'
  const other = { connect: () => Promise.reject(new Error('not used')) }
  const options = (): FeedOptions => ({
    engine: createChainEngine({ network: 'simnet' }),
    watch: [],
    minConfirmations: 0,
    sink: createPostgresSink({ pool }),
  })
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
  ] as const)('refuses a queue with %s', (_, wrong, argument, message) => {
    const create = () => createFeed({ ...options(), payouts: queueOn(postgresJournal({ pool })), ...wrong })
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-argument', argument, message }))
  })

  it('refuses a queue of another network', async () => {
    const engine = createChainEngine({ network: 'devnet' })
    const feed = createFeed({ ...options(), engine, payouts: queueOn(postgresJournal({ pool })) })
    const message = '"payouts" is of simnet, the feed of devnet'
    await expect(feed.run()).rejects.toMatchObject({ code: 'invalid-argument', argument: 'payouts', message })
  })
})

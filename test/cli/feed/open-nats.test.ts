import { headers, credsAuthenticator } from '@nats-io/transport-node'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readFlags } from '../../../src/cli/feed/flags.js'
import { openSink } from '../../../src/cli/feed/feed.js'
import { openWatch } from '../../../src/cli/feed/open-watch.js'
import { createDevnode, type Devnode } from '../../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { silentLogger } from '../../../src/engine/resolve-options.js'
import { createFeed } from '../../../src/feed/create-feed.js'
import type { FeedStatus } from '../../../src/feed/status.js'
import { createNatsOperator } from '../../feed/support/nats-operator.js'
import { hasNats, startNats, type NatsServer } from '../../feed/support/nats-server.js'
import { addressOf } from '../../feed/support/steps.js'
import { inspectValue } from '../../secrets/inspect-value.js'

const [one = '', two = '', three = ''] = [0, 1, 2].map((index) => addressOf(index, 'kaspasim'))
const keyOf = (address: string): string => `$KV.watched.${address.replace(':', '.')}`

describe.skipIf(!hasNats)('vue-chain feed --addresses kv:watched (nats-server 2.10 or later)', () => {
  let devnode: Devnode
  let engine: ChainEngine
  let server: NatsServer
  let ends: (() => Promise<unknown>)[]
  let warnings: unknown[]

  beforeAll(async () => {
    devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
    engine = createChainEngine({ network: 'simnet', url: devnode.urls.borsh })
  })

  afterAll(async () => {
    await engine.dispose()
    await devnode.close()
  })

  beforeEach(async () => {
    server = await startNats()
    ;[ends, warnings] = [[], []]
  })

  afterEach(async () => {
    await Promise.allSettled(ends.map((end) => end()))
    await server.stop()
  })

  const createBucket = (settings: object = {}): Promise<unknown> =>
    server.manager.streams.add({
      name: 'KV_watched',
      subjects: ['$KV.watched.>'],
      max_msgs_per_subject: 1,
      allow_rollup_hdrs: true,
      deny_delete: true,
      allow_direct: true,
      discard: 'new',
      ...settings,
    })
  const put = (address: string): Promise<unknown> =>
    server.manager.jetstream().publish(keyOf(address), '', { timeout: 1_000 })
  const remove = (address: string, operation: 'DEL' | 'PURGE'): Promise<unknown> => {
    const marked = headers()
    marked.set('KV-Operation', operation)
    if (operation === 'PURGE') marked.set('Nats-Rollup', 'sub')
    return server.manager.jetstream().publish(keyOf(address), '', { headers: marked, timeout: 1_000 })
  }

  async function start() {
    const flags = readFlags([`--nats=127.0.0.1:${server.port}`, '--addresses=kv:watched', '--network=simnet'], {})
    if (flags === null) throw new Error('--help')
    const logger = {
      ...silentLogger,
      warn: (message: string, fields?: object) => void warnings.push([message, fields]),
    }
    const watched = await openWatch(flags, logger)
    const opened = await openSink(flags, logger, watched.bucket)
    const feed = createFeed({ engine, watch: watched.watch, minConfirmations: 0, sink: opened.sink })
    let status: FeedStatus | undefined
    feed.status$.subscribe((next) => (status = next))
    const stopped = new AbortController()
    const done = feed.run({ signal: stopped.signal })
    done.catch(() => undefined) // awaited by the tests that expect it
    const stop = async (): Promise<void> => {
      stopped.abort()
      await done.catch(() => undefined)
      await opened.close()
    }
    ends.push(stop)
    /** The addresses that the stored position says are watched, after another block. */
    const addresses = async (): Promise<readonly string[]> => {
      await devnode.mine()
      const found = await server.manager.streams.getMessage('chain-simnet', { last_by_subj: 'chain.simnet.batch' })
      return found === null || status?.phase !== 'running' ? [] : watchedOf()
    }
    return { addresses, stop, done, status: () => status }
  }

  /** As a reader of the stream: `added` and `removed` in their order. */
  async function watchedOf(): Promise<readonly string[]> {
    const watched = new Set<string>()
    const { state } = await server.manager.streams.info('chain-simnet')
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await server.manager.streams.getMessage('chain-simnet', { seq })
      if (message?.subject !== 'chain.simnet.batch') continue
      const { type, addresses = [] } = message.json<{ type: string; addresses?: readonly string[] }>()
      for (const address of addresses) {
        if (type === 'added') watched.add(address)
        else if (type === 'removed') watched.delete(address)
      }
    }
    return [...watched].sort()
  }

  it('watches its keys, also those that change while it runs or while it is stopped', async () => {
    await createBucket()
    await put(one)
    await put(two)
    await remove(two, 'DEL')
    const first = await start()
    await expect.poll(first.addresses).toEqual([one])
    await put(two)
    await put(three)
    await put('kaspa:qq')
    await expect.poll(first.addresses).toEqual([one, two, three].sort())
    await remove(one, 'PURGE')
    await expect.poll(first.addresses).toEqual([two, three].sort())
    expect(warnings).toEqual([
      ['A key of the bucket of --addresses is no address', { key: 'kaspa.qq', network: 'simnet' }],
    ])
    await first.stop()
    await remove(two, 'DEL')
    await put(one)
    const second = await start()
    await expect.poll(second.addresses).toEqual([one, three].sort())
    await server.restart()
    await expect
      .poll(() =>
        put(two).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
    await expect.poll(second.addresses).toEqual([one, two, three].sort())
  })

  it('watches nothing while the bucket is empty', async () => {
    await createBucket()
    const feed = await start()
    await expect.poll(() => devnode.mine().then(() => feed.status()?.batches ?? 0)).toBeGreaterThan(0)
    await put(one)
    await expect.poll(feed.addresses).toEqual([one])
  })

  it('ends where the bucket does not exist, is deleted, or loses keys', async () => {
    const missing = {
      argument: 'addresses',
      message: 'The bucket "watched" of --addresses does not exist',
      hint: 'Create it: nats kv add watched',
    }
    await expect((await start()).done).rejects.toMatchObject(missing)
    await createBucket()
    await put(one)
    const feed = await start()
    await expect.poll(feed.addresses).toEqual([one])
    await server.manager.streams.delete('KV_watched')
    await expect(feed.done).rejects.toMatchObject(missing)
    await createBucket({ max_age: 3_600_000_000_000 })
    await expect((await start()).done).rejects.toMatchObject({
      message: 'The bucket "watched" of --addresses has keys that expire',
      hint: 'Create it without --ttl.',
    })
  })
})

describe.skipIf(!hasNats)('vue-chain feed --nats-creds (nats-server 2.10 or later)', () => {
  it('delivers as the user of a file with a JWT and its key, and is refused without', async () => {
    const { settings, creds } = createNatsOperator()
    const server = await startNats(settings, { authenticator: credsAuthenticator(Buffer.from(creds)) })
    const folder = mkdtempSync(join(tmpdir(), 'vue-chain-creds-'))
    const path = join(folder, 'feed.creds')
    const open = async (...more: readonly string[]) => {
      const flags = readFlags([`--nats=127.0.0.1:${server.port}`, `--addresses=${one}`, ...more], {})
      if (flags === null) throw new Error('--help')
      const { sink, close } = await openSink(flags, silentLogger)
      const opening = sink.open({ network: 'simnet', watch: 'given', signal: new AbortController().signal })
      try {
        await (await opening).close()
      } finally {
        await close()
      }
    }
    try {
      writeFileSync(path, creds)
      await open(`--nats-creds=${path}`)
      expect((await server.manager.streams.info('chain-simnet')).config.name).toBe('chain-simnet')
      await expect(open()).rejects.toMatchObject({
        message: 'The NATS server rejected a request: Authorization Violation',
      })
      const other = createNatsOperator().creds // of an operator that the server does not know
      writeFileSync(path, other)
      const refused: unknown = await open(`--nats-creds=${path}`).catch((error: unknown) => error)
      expect(refused).toMatchObject({ message: 'The NATS server rejected a request: Authorization Violation' })
      const [seed = ''] = /^SU\w+$/m.exec(other) ?? []
      expect(seed).not.toBe('')
      expect(inspectValue(refused)).not.toContain(seed)
    } finally {
      rmSync(folder, { recursive: true })
      await server.stop()
    }
  })
})

import { expect, it } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import type { FeedSession, FeedSink } from '../../src/feed/sink.js'
import { addressOf } from './support/steps.js'

const ADDRESSES = 60_000

it('checks stored addresses in several tasks, between which the lease is renewed', async () => {
  const watched = Array.from({ length: ADDRESSES }, (_, index) => addressOf(index, 'kaspasim'))
  const session: FeedSession = {
    cursor: null,
    watched,
    write: () => Promise.resolve([]),
    findOpenings: () => [],
    dropped: new Promise<never>(() => undefined),
    close: () => Promise.resolve(),
  }
  let beats = 0
  let heartbeat: NodeJS.Timeout | undefined
  const sink: FeedSink = {
    hasWatchTable: false,
    open: () => {
      heartbeat = setInterval(() => (beats += 1), 1)
      return Promise.resolve(session)
    },
  }
  const engine = createChainEngine({ network: 'simnet', url: 'ws://127.0.0.1:1' })
  const feed = createFeed({ engine, sink, watch: watched, minConfirmations: 0 })
  const stopped = new AbortController()
  let beatsUntilRunning: number | undefined
  feed.status$.subscribe(({ phase }) => {
    if (phase === 'running') beatsUntilRunning ??= beats
  })
  const done = feed.run({ signal: stopped.signal })
  await expect.poll(() => beatsUntilRunning).toBeDefined()
  clearInterval(heartbeat)
  stopped.abort()
  await done
  await engine.dispose()
  expect(beatsUntilRunning).toBeGreaterThanOrEqual(4)
})

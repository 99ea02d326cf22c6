import { NEVER, of } from 'rxjs'
import { expect, it } from 'vitest'
import { createFeed } from '../../src/feed/create-feed.js'
import type { FeedEngine, FeedOptions } from '../../src/feed/options.js'
import type { FeedSession, FeedSink, FeedStep } from '../../src/feed/sink.js'
import type { FeedStatus } from '../../src/feed/status.js'
import { encodeCursor } from '../../src/model/chain-cursor/cursor.js'
import { locatorAt } from '../../src/model/chain-cursor/locator.js'
import type { ChainProblem } from '../../src/streams/chain/problem.js'
import type { FollowTransfersOptions } from '../../src/streams/transfers/options.js'
import type { TransferBatch } from '../../src/streams/transfers/transfer.js'
import { ALICE } from '../streams/utxos/utxo-fixtures.js'

const hash = 'ab'.repeat(32)
const cursorAt = (blueScore: bigint): string => encodeCursor(locatorAt({ hash, blueScore, blueWork: '01' }), 'simnet')

/** A feed whose chain has one batch, a rollback to a blue score; the sink has a row at 10 and a position at 20. */
async function rewind(blueScore: bigint, problems: readonly ChainProblem[] = []) {
  const followed: FollowTransfersOptions[] = []
  const written: FeedStep[] = []
  const warnings: unknown[] = []
  const statuses: FeedStatus[] = []
  const rollback = { hash, blueScore, daaScore: blueScore }
  const base = { transactions: [], added: [], addedAfter: null, isLive: true }
  async function* batches(options: FollowTransfersOptions): AsyncGenerator<TransferBatch, undefined> {
    followed.push(options)
    for (const problem of problems) options.onProblem?.(problem)
    yield { ...base, cursor: cursorAt(blueScore), rollback }
    return undefined
  }
  const engine = {
    followTransfers: batches,
    connection: { state$: of({ network: 'simnet' }) },
    sinkBlueScore$: NEVER,
  } as unknown as FeedEngine
  const session: FeedSession = {
    cursor: cursorAt(20n),
    watched: [ALICE],
    write: (step) => Promise.resolve(void written.push(step)).then(() => []),
    findOpenings: () => [{ address: ALICE, blueScore: 10n }],
    dropped: new Promise<never>(() => undefined),
    close: () => Promise.resolve(),
  }
  const sink: FeedSink = { hasWatchTable: false, open: () => Promise.resolve(session) }
  const ignore = (): void => undefined
  const logger: FeedOptions['logger'] = {
    debug: ignore,
    info: ignore,
    error: ignore,
    warn: (...line) => void warnings.push(line),
  }
  const stopped = new AbortController()
  const feed = createFeed({ engine, sink, logger, watch: [ALICE], minConfirmations: 0, rewindTo: String(blueScore) })
  feed.status$.subscribe((status) => {
    statuses.push(status)
    if (status.batches > 0) stopped.abort()
  })
  const outcome = await feed.run({ signal: stopped.signal }).catch((error: unknown) => error)
  return { outcome, followed, written, warnings, statuses }
}

it('F2 rewinds rows and cursor in one step', async () => {
  const { outcome, followed, written, statuses } = await rewind(15n)
  expect(outcome).toBeUndefined()
  expect(followed).toMatchObject([{ cursor: cursorAt(20n), rewindTo: '15' }])
  expect(written).toMatchObject([{ rollback: { blueScore: 15n }, cursor: cursorAt(15n) }])
  expect(statuses.at(-1)).toMatchObject({ rollbacks: 1, blueScore: 15n })
})

it('F2 refuses a rewind below the oldest row, with the range, and stores nothing', async () => {
  const { outcome, written } = await rewind(9n)
  expect(outcome).toMatchObject({
    code: 'invalid-argument',
    argument: 'rewindTo',
    hint: 'Pass a block or a blue score from 10 to 20.',
  })
  expect(written).toEqual([])
})

it('F2 shows behind and rewound in status and log, with endpoints and blocks', async () => {
  const block = { hash, blueScore: 20n }
  const { statuses, warnings } = await rewind(15n, [
    { type: 'behind', url: 'ws://a', block },
    { type: 'rewound', urls: ['ws://a', 'ws://b'], block, to: { hash, blueScore: 15n } },
  ])
  expect(statuses.map(({ chain }) => chain)).toContain('behind')
  expect(statuses.at(-1)).toMatchObject({ chain: 'following', endpoint: 'ws://a', rewound: 1 })
  expect(warnings).toEqual([
    ['The chain of the node is behind the stored position', { endpoint: 'ws://a', block }],
    [
      'The stored position was no block of the chain and is rewound',
      { endpoints: ['ws://a', 'ws://b'], block, to: { hash, blueScore: 15n } },
    ],
  ])
})

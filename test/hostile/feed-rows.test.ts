import { expect, it } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { createPgliteSink } from '../../src/feed/postgres/create-postgres-sink.js'
import type { FeedStatus } from '../../src/feed/status.js'
import { createPglite } from '../feed/support/new-pglite.js'
import { ALICE } from '../streams/utxos/utxo-fixtures.js'
import { blockAt, chainOf, chainResponders, paymentRecord, type TestBlock } from './hostile-chain.js'
import { startWireNode } from '../wire-node.js'

/** Longer ago than the ids that an iteration remembers. */
const LATER = 2_100

it('F1 a feed goes on where a node repeats a transaction of long ago, which counts once', async () => {
  const chain = chainOf(10)
  const repeated = blockAt(LATER)
  const node = await startWireNode(
    'Borsh',
    chainResponders(
      () => chain,
      (page) => ({
        ...page,
        chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block) =>
          block.chainBlockHeader.hash === repeated.hash
            ? {
                ...block,
                acceptedTransactions: [paymentRecord('0 of 11', ALICE, 100n), paymentRecord('new', ALICE, 7n)],
              }
            : block,
        ),
      }),
    ),
  )
  const database = await createPglite()
  const engine = createChainEngine({ network: 'simnet', resolver: false, url: node.url() })
  const sink = createPgliteSink({ database })
  const feed = createFeed({ engine, watch: [ALICE], minConfirmations: 0, sink })
  const stopped = new AbortController()
  let status: FeedStatus | undefined
  feed.status$.subscribe((next) => (status = next))
  const done = feed.run({ signal: stopped.signal })
  const failed = done.then(() => undefined)
  const until = (isReached: (now: FeedStatus) => boolean) =>
    Promise.race([expect.poll(() => status !== undefined && isReached(status)).toBe(true), failed])
  const extend = (blocks: readonly TestBlock[]): void => {
    chain.push(...blocks)
    node.notify({
      type: 'virtual-chain-changed',
      data: {
        removedChainBlockHashes: [],
        addedChainBlockHashes: blocks.map(({ hash }) => hash),
        acceptedTransactionIds: [],
      },
    })
  }
  await until(({ watched, blueScore }) => watched === 1 && blueScore !== null)
  extend([blockAt(11, { pays: [[ALICE, 100n]] })])
  await until(({ transfers }) => transfers === 1)
  extend(
    Array.from({ length: LATER - 12 }, (_, at) => blockAt(12 + at, { pays: at === LATER - 13 ? [[ALICE, 1n]] : [] })),
  )
  await until(({ transfers }) => transfers === 2)
  extend([repeated])
  await until(({ blueScore }) => blueScore === BigInt(LATER))
  const { rows } = await database.query(
    'select amount::text, accepting_blue_score::text as score from vue_chain.transfer order by sequence',
  )
  expect(rows).toEqual([
    { amount: '100', score: '11' },
    { amount: '1', score: String(LATER - 1) },
    { amount: '7', score: String(LATER) },
  ])
  const balances = await database.query('select amount::text from vue_chain.balance')
  expect(balances.rows).toEqual([{ amount: '108' }])
  stopped.abort()
  await done
  await engine.dispose()
  await database.close()
  await node.close()
})

import { expect, it } from 'vitest'
import { createChainEngine } from '../../src/engine/engine.js'
import { createFeed } from '../../src/feed/create-feed.js'
import { type FeedSink, takenOver } from '../../src/feed/sink.js'
import { chainOf, chainResponders } from '../hostile/hostile-chain.js'
import { startWireNode } from '../wire-node.js'
import { ALICE } from '../streams/utxos/utxo-fixtures.js'
import { RowSink } from './support/row-sink.js'

it('follows the chain no longer where a step cannot be stored', async () => {
  const chain = chainOf(10)
  const placed: string[] = []
  const node = await startWireNode('Borsh', {
    ...chainResponders(() => chain),
    subscribe: ({ scope }) => {
      placed.push(scope.type)
      return { id: 1n }
    },
    unsubscribe: ({ scope }) => {
      placed.splice(placed.indexOf(scope.type), 1)
      return {}
    },
  })
  const rows = new RowSink()
  const sink: FeedSink = {
    hasWatchTable: false,
    async open() {
      const session = await rows.open()
      const write: typeof session.write = (step) =>
        step.added.length === 0 ? session.write(step) : Promise.reject(takenOver())
      return { ...session, write }
    },
  }
  const engine = createChainEngine({ network: 'simnet', resolver: false, url: node.url() })
  const feed = createFeed({ engine, watch: [ALICE], minConfirmations: 0, sink })
  await expect(feed.run()).rejects.toMatchObject({ code: 'taken-over' })
  await expect.poll(() => placed).not.toContain('virtual-chain-changed')
  await engine.dispose()
  await node.close()
})

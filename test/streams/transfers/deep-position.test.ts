import { expect, it } from 'vitest'
import { createChainEngine } from '../../../src/engine/engine.js'
import { encodeCursor } from '../../../src/model/chain-cursor/encode-cursor.js'
import { locatorAt } from '../../../src/model/chain-cursor/locator.js'
import type { TransferBatches } from '../../../src/streams/transfers/follow-transfers.js'
import type { TransferBatch } from '../../../src/streams/transfers/transfer.js'
import { createWatchedAddresses } from '../../../src/streams/transfers/watched-addresses.js'
import { chainOf, chainResponders, WORK } from '../../hostile/hostile-chain.js'
import { startWireNode } from '../../wire-node.js'
import { ALICE } from '../utxos/utxo-fixtures.js'

const DEPTH = 10_100

async function firstAdded(batches: TransferBatches): Promise<TransferBatch | undefined> {
  for await (const batch of batches) if (batch.added.length > 0) return batch
  return undefined
}

it('counts an added address where the position is more than 10,000 chain blocks below the sink', async () => {
  const chain = chainOf(DEPTH + 300, { 250: [[ALICE, 100n]] })
  const node = await startWireNode(
    'Borsh',
    chainResponders(() => chain),
  )
  const engine = createChainEngine({ network: 'simnet', resolver: false, url: node.url() })
  const watched = createWatchedAddresses()
  const start = { hash: chain[100]!.hash, blueScore: 100n, blueWork: (WORK * 101n).toString(16) }
  const cursor = encodeCursor(locatorAt(start), 'simnet')
  const batches = engine.followTransfers({ addresses: watched, cursor, minConfirmations: DEPTH })
  await batches.next()
  watched.add(ALICE) // its pass begins at block 200, and the position moves on
  const added = await firstAdded(batches)
  expect(added).toMatchObject({ added: [ALICE], addedAfter: 200n })
  expect(added?.transactions.flatMap(({ transfers }) => transfers.map(({ amount }) => amount))).toEqual([100n])
  await batches.return?.()
  await engine.dispose()
  await node.close()
})

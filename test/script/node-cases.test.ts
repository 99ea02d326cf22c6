import { expect, it } from 'vitest'
import { createMemoryDevnode } from '../../src/devnode/memory/create-memory-devnode.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { connectBy } from '../contract/node/support/client.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { newAccount } from '../contract/node/support/payment.js'
import { openMemorySocket } from '../contract/node/support/test-socket.js'
import { runs } from '../full.js'
import { compare } from './differential/compare.js'
import { judgeByNode } from './differential/node-judge.js'

const COUNT = runs(50)
const BATCH = 50
/** 100,000 KAS. */
const AMOUNT = 10_000_000_000_000n

/**
 * What `scripts/script-differential.mjs --judge kaspad` submits to a real node: the transactions meet all rules besides
 * those of scripts, and the budget of a run is exact.
 */
it('random spends reach the scripts of a node, with an exact budget where they succeed', async () => {
  const account = newAccount('kaspasim')
  const utxos = Array.from({ length: 3 * (COUNT / BATCH) }, () => ({ address: account.address, amount: AMOUNT }))
  const devnode = createMemoryDevnode({ blockInterval: 0, utxos })
  const client = await connectBy(openMemorySocket(devnode), devnode.urls.borsh, createBorshCodec())
  const mine = (count: number): Promise<unknown> => devnode.mine(count)
  await mine(20)
  const funds = [...(await indexedUtxos(client, [account.address]))]
  const { cases, accepted, edges, differences } = await compare(judgeByNode({ client, mine, account, funds }), BATCH, {
    count: COUNT,
    seed: 1,
  })
  expect(differences).toEqual([])
  expect(cases).toBeGreaterThan(0.9 * COUNT)
  expect(accepted).toBeGreaterThan(0.3 * COUNT)
  expect(edges).toBeGreaterThan(0)
  client.close()
  await devnode.close()
})

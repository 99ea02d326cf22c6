import { afterAll, beforeAll, expect, it } from 'vitest'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import { checkPayoutsOptions } from '../../src/payouts/options.js'
import { QueueNode } from '../../src/payouts/queue-node.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { attemptOf, idOf } from '../../src/payouts/testing/journal-fixtures.js'
import type { PayoutGroup } from '../../src/streams/payouts/journal.js'
import { openRecipients } from './support/queue.js'

let engine: ChainEngine
let node: QueueNode
beforeAll(async () => {
  engine = createChainEngine({ network: 'simnet' })
  const addresses = [(await openRecipients()).address(0)]
  const options = { engine, journal: memoryJournal(), addresses, privateKeys: [], minConfirmations: 1 }
  node = new QueueNode(engine, checkPayoutsOptions(options))
})
afterAll(() => engine.dispose())

it('verifies no payment whose payouts were released, also where it has verified it before', async () => {
  const attempt = attemptOf(1, [2], ['a'])
  const payout = {
    ...{ id: 'a', address: 'recipient', amount: 5n, notBefore: null, sequence: 1n, requestedAt: 0, version: 1 },
    ...{ group: idOf(1), progress: { state: 'relayed' as const } },
  }
  const group: PayoutGroup = {
    ...{ id: idOf(1), state: 'open', version: 1, bumpRate: null, conflicts: [] },
    ...{ attempts: [attempt], payouts: [payout] },
  }
  node.signed(attempt)
  await expect(node.verify(attempt, group)).resolves.toBeUndefined()
  await expect(node.verify(attempt, { ...group, payouts: [] })).rejects.toMatchObject({
    code: 'invalid-argument',
    message: `The stored payment ${idOf(1)} does not pay the payouts of its group`,
  })
})

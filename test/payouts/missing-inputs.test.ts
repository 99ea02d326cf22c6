import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { createQueue, KAS, openRecipients, startNode, type TestQueue } from './support/queue.js'

/** A reorg undoes the transactions that have funded the addresses. */
let devnode: Devnode
let recipients: Account
let queue: TestQueue

beforeEach(async () => {
  devnode = await startNode()
  await devnode.mine(3)
  recipients = await openRecipients()
  queue = createQueue([devnode], memoryJournal())
  queue.run()
})
afterEach(async () => {
  await queue.end()
  await devnode.close()
})

const hot = (): string => devnode.accounts[0]!.address
const stateOf = async (id: string) => (await queue.payouts.get(id))?.state
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Funds the addresses at a block of its own; returns the id. */
async function fund(amount: bigint): Promise<string> {
  const transactionId = await devnode.fund(hot(), amount)
  await devnode.mine(4)
  return transactionId
}

/** Signs a payment, and undoes what it spends in part. */
async function payAndUndo(amount: bigint, funded: string): Promise<void> {
  await queue.payouts.pay('own', { address: recipients.address(1), amount })
  await expect.poll(() => stateOf('own')).toBe('relayed')
  await devnode.reorg({ depth: 6, drop: [funded] })
}

const mineUntil = (id: string, state: string) => pollMined(devnode, () => stateOf(id)).toBe(state)

it('pays again from other UTXOs, and from one that is left, which all attempts spend', async () => {
  const funded = await fund(500n * KAS)
  await payAndUndo(1_200n * KAS, funded)
  await fund(600n * KAS)
  await mineUntil('own', 'settled')
  expect((await queue.payouts.get('own'))?.attempts.map(({ kind }) => kind)).toEqual(['pay', 'again'])
  expect(timesPaid(1)).toBe(1)
})

it('pays nothing again where no input is left, until it is released', async () => {
  await queue.payouts.pay('all', { address: recipients.address(2), amount: 999n * KAS })
  await mineUntil('all', 'settled')
  const funded = await fund(500n * KAS)
  await payAndUndo(400n * KAS, funded)
  await fund(600n * KAS)
  await mineUntil('own', 'conflicting')
  expect(await queue.payouts.get('own')).toMatchObject({ transactionId: funded })
  await queue.payouts.pay('later', { address: recipients.address(3), amount: KAS })
  await mineUntil('later', 'settled')
  expect(await stateOf('own')).toBe('conflicting')
  await expect(queue.payouts.release('own')).rejects.toMatchObject({ code: 'not-releasable' })
  expect([1, 3].map(timesPaid)).toEqual([0, 1])
})

import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { pollMined } from '../poll-mined.js'
import { runs } from '../full.js'
import { createQueue, KAS, openRecipients, startNode, type TestOptions, type TestQueue } from './support/queue.js'

let devnode: Devnode
let recipients: Account
let journal: PayoutJournal
let queues: TestQueue[]

beforeEach(async () => {
  devnode = await startNode()
  recipients = await openRecipients()
  journal = memoryJournal()
  queues = []
})
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.end()))
  await devnode.close()
})

function start(options?: TestOptions, nodes: readonly Devnode[] = [devnode]): TestQueue {
  const queue = createQueue(nodes, journal, options)
  queues.push(queue)
  queue.run()
  return queue
}

const pay = (queue: TestQueue, id: number, amount = KAS) =>
  queue.payouts.pay(`w${id}`, { address: recipients.address(id), amount })
const stateOf = async (queue: TestQueue, id: number) => (await queue.payouts.get(`w${id}`))?.state
/** How often the chain has paid the recipient of a payout. */
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Mines until all payouts are in a state. */
async function mineUntil(queue: TestQueue, ids: readonly number[], state: string, node = devnode): Promise<void> {
  await pollMined(node, () => Promise.all(ids.map((id) => stateOf(queue, id)))).toEqual(ids.map(() => state))
}

it('pays each payout once, several with one transaction', async () => {
  const queue = start({ batch: { maxWait: 100 } })
  await devnode.mine(3)
  const ids = [0, 1, 2, 3, 4]
  expect((await pay(queue, 0)).state).toBe('queued')
  await Promise.all(ids.map((id) => pay(queue, id)))
  await mineUntil(queue, ids, 'settled')
  expect(ids.map(timesPaid)).toEqual([1, 1, 1, 1, 1])
  const states = await queue.payouts.list()
  expect(new Set(states.map(({ attempts }) => attempts.at(-1)?.transactionId)).size).toBeLessThan(3)
  const { settleTimes, submissions, utxos } = await queue.payouts.metrics()
  expect(settleTimes).toMatchObject({ count: 5 })
  expect(submissions.filter(({ reason }) => reason === 'none')).toMatchObject([{ outcome: 'relayed' }])
  expect(Object.keys(utxos ?? {})).toEqual(['free', 'claimed', 'unconfirmed'])
})

it('has read a chain that stands still to its end', async () => {
  const queue = start({ minConfirmations: 50 })
  await devnode.mine(60)
  await pay(queue, 1)
  await expect.poll(() => stateOf(queue, 1)).toBe('relayed')
  await devnode.mine(2)
  await expect.poll(() => stateOf(queue, 1)).toBe('accepted')
  await devnode.mine(12)
  expect(await queue.payouts.wait('w1', { confirmations: 12 })).toMatchObject({ state: 'accepted' })
})

it('counts why a submission was not relayed', async () => {
  const queue = start()
  await devnode.mine(3)
  const message = 'transaction is an orphan where orphan is disallowed'
  devnode.faults.failCall({ method: 'submitTransaction', message })
  await pay(queue, 1)
  await mineUntil(queue, [1], 'settled')
  const { submissions } = await queue.payouts.metrics()
  expect(submissions).toContainEqual({ outcome: 'unknown', reason: 'orphan', count: 1 })
})

it('pays each payout once, whatever reason its node refuses it for', async () => {
  const id = 'ab'.repeat(32)
  const replies = [
    `transaction ${id} is already in the mempool`,
    `transaction ${id} was already accepted by the consensus`,
    `transaction ${id} is an orphan where orphan is disallowed`,
    `output (${id}, 0) already spent by transaction ${id} in the mempool`,
    'replace by fee found no double spending transaction in the mempool',
    `transaction ${id} is not standard: transaction has 1000 fees which is under the required amount of 203600`,
    "transaction could not be added to the mempool because it's full with transactions with higher priority",
    'one of the transaction inputs spends an immature UTXO',
    'failed to verify the signature script: false stack entry at end of script execution',
    'storage mass of 510000 is larger than max allowed size of 500000',
  ]
  const queue = start()
  await devnode.mine(3)
  for (const [at, reply] of replies.entries()) {
    const message = `Rejected transaction ${id}: ${reply}`
    devnode.faults.failCall({ method: 'submitTransaction', message, times: runs(2, 100) })
    await pay(queue, at)
    await mineUntil(queue, [at], 'settled')
    devnode.faults.clear()
  }
  expect(replies.map((_, at) => timesPaid(at))).toEqual(replies.map(() => 1))
})

it('prunes nothing that a reorg may undo, and refuses a time to come', async () => {
  const queue = start()
  await devnode.mine(3)
  await pay(queue, 1)
  await mineUntil(queue, [1], 'settled')
  expect(await queue.payouts.prune({ olderThan: new Date(0) })).toEqual({ attempts: 0, events: 0 })
  const { attempts } = await queue.payouts.prune({ olderThan: new Date() })
  expect(attempts).toBe(0)
  const tomorrow = new Date(Date.now() + 86_400_000)
  await expect(queue.payouts.prune({ olderThan: tomorrow })).rejects.toMatchObject({ argument: 'olderThan' })
})

it('resolves to the stored state for the same id, and rejects other fields', async () => {
  const queue = start()
  await pay(queue, 1)
  await expect(pay(queue, 1)).resolves.toMatchObject({ id: 'w1', amount: KAS })
  await expect(pay(queue, 1, 2n * KAS)).rejects.toMatchObject({ code: 'id-conflict', ids: ['w1'] })
})

it('waits for its own change, and then pays from it', async () => {
  const queue = start()
  await devnode.mine(3)
  await pay(queue, 1, 905n * KAS) // from all UTXOs of the account
  await expect.poll(() => stateOf(queue, 1)).toBe('relayed')
  await pay(queue, 2, 50n * KAS)
  await expect.poll(() => queue.payouts.get('w2')).toMatchObject({ state: 'waiting', reason: 'own-change' })
  await mineUntil(queue, [1, 2], 'settled')
  await pay(queue, 3, 50_000n * KAS)
  await expect.poll(() => queue.payouts.get('w3')).toMatchObject({ state: 'waiting', reason: 'funds' })
  expect([1, 2].map(timesPaid)).toEqual([1, 1])
})

it('cancels what is queued at once, and what is signed by a replacement', async () => {
  const queue = start({ batch: { maxWait: 100 } })
  await devnode.mine(3)
  await queue.payouts.hold()
  await Promise.all([1, 2, 3].map((id) => pay(queue, id)))
  expect((await queue.payouts.cancel('w1')).state).toBe('cancelled')
  await queue.payouts.resume()
  await expect.poll(() => Promise.all([2, 3].map((id) => stateOf(queue, id)))).toEqual(['relayed', 'relayed'])
  expect((await queue.payouts.cancel('w2')).state).toBe('cancelling')
  await expect
    .poll(async () => (await queue.payouts.get('w2'))?.attempts.map(({ kind }) => kind))
    .toEqual(['pay', 'cancel'])
  const replacement = (await queue.payouts.get('w3'))?.attempts.at(-1)?.transactionId
  await expect.poll(() => devnode.expected.mempool()).toEqual([replacement])
  await mineUntil(queue, [3], 'settled')
  expect(await stateOf(queue, 2)).toBe('cancelled')
  expect([1, 2, 3].map(timesPaid)).toEqual([0, 0, 1])
  await expect(queue.payouts.cancel('w3')).rejects.toMatchObject({ code: 'not-cancellable' })
})

it('signs nothing on hold, whose payments reach the chain, and goes on with resume', async () => {
  const queue = start()
  await devnode.mine(3)
  await pay(queue, 1)
  await expect.poll(() => stateOf(queue, 1)).toBe('relayed')
  await queue.payouts.hold()
  await pay(queue, 2)
  await mineUntil(queue, [1], 'settled') // its change is free
  expect(await queue.payouts.get('w2')).toMatchObject({ state: 'queued', attempts: [] })
  await queue.payouts.resume()
  await mineUntil(queue, [2], 'settled')
  expect([1, 2].map(timesPaid)).toEqual([1, 1])
})

it('replaces a payment by one with a higher fee rate, which pays the same', async () => {
  const queue = start()
  await devnode.mine(3)
  await pay(queue, 1)
  await expect.poll(() => stateOf(queue, 1)).toBe('relayed')
  await queue.payouts.bump('w1', { feeRate: 500 })
  await expect.poll(async () => (await queue.payouts.get('w1'))?.attempts.length).toBe(2)
  const [first, second] = (await queue.payouts.get('w1'))!.attempts
  expect(second!.fee).toBeGreaterThan(first!.fee)
  await expect.poll(() => devnode.expected.mempool()).toEqual([second!.transactionId])
  await mineUntil(queue, [1], 'settled')
  expect(timesPaid(1)).toBe(1)
  await expect(queue.payouts.bump('w1', { feeRate: 900 })).rejects.toMatchObject({ code: 'not-replaceable' })
})

it('takes settled payouts back in a deeper reorg, and brings them to the chain again', async () => {
  const queue = start()
  await devnode.mine(3)
  await pay(queue, 1)
  await mineUntil(queue, [1], 'settled')
  await devnode.reorg({ depth: 8 })
  await mineUntil(queue, [1], 'settled')
  expect(timesPaid(1)).toBe(1)
})

it('lets no other payment of the engine spend from its addresses', async () => {
  const queue = start()
  await devnode.mine(3)
  const account = devnode.accounts[0]!
  await queue.engine.connection.connect()
  const entries = await queue.engine.rpc.getUtxosByAddresses([account.address])
  const settings = {
    entries,
    changeAddress: account.address,
    outputs: [{ address: recipients.address(1), amount: KAS }],
  }
  const refused = {
    code: 'managed-by-journal',
    message: `The payment queue "${account.address}" pays from ${account.address}`,
  }
  await expect(queue.engine.transactions.create(settings)).rejects.toMatchObject(refused)
  await expect(
    queue.engine.transactions.send({ ...settings, privateKeys: [account.privateKeyHex] }),
  ).rejects.toMatchObject(refused)
  const unnamed = entries.map(({ address: _, ...entry }) => entry)
  await expect(queue.engine.transactions.create({ ...settings, entries: unnamed })).rejects.toMatchObject(refused)
})

it('signs nothing after a debit of its addresses by somebody else, until it is acknowledged', async () => {
  const queue = start()
  await devnode.mine(3)
  await pay(queue, 1)
  await mineUntil(queue, [1], 'settled')
  const other = createQueue([devnode], memoryJournal(), {})
  queues.push(other)
  other.run()
  await other.payouts.pay('foreign', { address: recipients.address(9), amount: KAS })
  await pollMined(devnode, async () => (await queue.payouts.metrics()).isWorking && timesPaid(9)).toBe(1)
  await other.stop()
  let problem: { transactionId?: string | undefined } | null = null
  queue.payouts.status$.subscribe((status) => (problem = status.problem))
  await expect.poll(() => problem).toMatchObject({ code: 'foreign-debit' })
  await pay(queue, 2)
  await devnode.mine(3)
  expect(await stateOf(queue, 2)).toBe('queued')
  await queue.payouts.acknowledge(problem!.transactionId!)
  await mineUntil(queue, [2], 'settled')
  expect([1, 2].map(timesPaid)).toEqual([1, 1])
})

it('signs nothing where the mempool has a payment that its journal lacks, as after a restore from a backup', async () => {
  const before = start()
  await devnode.mine(3)
  await pay(before, 1)
  await expect.poll(() => stateOf(before, 1)).toBe('relayed')
  await before.end()
  journal = memoryJournal() // the journal of a backup
  const queue = createQueue([devnode], journal)
  queues.push(queue)
  let problem: { transactionId?: string | undefined } | null = null
  queue.payouts.status$.subscribe((status) => (problem = status.problem))
  await pay(queue, 1)
  queue.run()
  await expect.poll(() => problem).toMatchObject({ code: 'foreign-debit', ids: ['w1'] })
  await devnode.mine(3)
  expect([await stateOf(queue, 1), timesPaid(1)]).toEqual(['queued', 1])
})

it('signs nothing through a node whose chain does not reach its position', async () => {
  await devnode.mine(3)
  const older = devnode.snapshot()
  const first = start()
  await pay(first, 1)
  await mineUntil(first, [1], 'settled')
  await pay(first, 2)
  await expect.poll(() => stateOf(first, 2)).toBe('relayed')
  await first.end()
  const behind = await devnode.fork({ snapshot: older })
  const queue = start({}, [behind])
  await pay(queue, 3)
  const submitted = async () => (await queue.payouts.metrics()).submissions.reduce((sum, { count }) => sum + count, 0)
  await expect.poll(submitted).toBeGreaterThan(5) // of the second one; each turn of submissions is one of signatures
  expect(await stateOf(queue, 3)).toBe('queued')
  await behind.sync(devnode)
  await mineUntil(queue, [2, 3], 'settled', behind)
  await queue.end()
  await devnode.sync(behind)
  await behind.close()
  expect([1, 2, 3].map(timesPaid)).toEqual([1, 1, 1])
})

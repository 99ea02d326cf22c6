import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { light } from '../../src/light/index.js'
import { toOutpointKey } from '../../src/model/utxo.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { updateOf } from '../../src/payouts/testing/journal-fixtures.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { outpointsOf } from '../../src/streams/payouts/group-changes.js'
import type { PayoutJournal } from '../../src/streams/payouts/journal.js'
import { pollMined } from '../poll-mined.js'
import { FULL } from '../full.js'
import { createQueue, KAS, openRecipients, startNode, type TestQueue } from './support/queue.js'

/** A second program with the key of the queue pays on a branch that the queue's node does not see. */
let devnode: Devnode
let other: Devnode
let recipients: Account
let journal: PayoutJournal
let queue: TestQueue

beforeEach(async () => {
  devnode = await startNode()
  await devnode.mine(3)
  recipients = await openRecipients()
  journal = memoryJournal()
  queue = createQueue([devnode], journal)
  queue.run()
})
afterEach(async () => {
  await queue.end()
  await Promise.all([devnode.close(), other.close()])
})

const stateOf = async (id: string) => (await queue.payouts.get(id))?.state
const timesPaid = (id: number): number => devnode.expected.transfers([recipients.address(id)]).length

/** Pays with the same key through the other node: `amount`, or everything; returns the id. */
async function payElsewhere(id: number, amount?: bigint, inputs = Infinity): Promise<string> {
  const { address, privateKeyHex } = devnode.accounts[0]!
  const engine = createChainEngine({ network: 'simnet', url: other.urls.borsh, sdk: light })
  await engine.wasm.init()
  await engine.connection.connect()
  const entries = (await engine.rpc.getUtxosByAddresses([address])).slice(0, inputs)
  const keys = { entries, privateKeys: [privateKeyHex] }
  const to = recipients.address(id)
  const { transactionIds } = await (amount === undefined
    ? engine.transactions.sweep({ ...keys, to })
    : engine.transactions.send({ ...keys, changeAddress: address, outputs: [{ address: to, amount }] }))
  await engine.dispose()
  return transactionIds.at(-1)!
}

/** Spends what the queue's payment spends, with the same key through the other node; returns the id. */
async function spendElsewhere(id: number, outpoints: readonly string[]): Promise<string> {
  const { address, privateKeyHex } = devnode.accounts[0]!
  const engine = createChainEngine({ network: 'simnet', url: other.urls.borsh, sdk: light })
  await engine.wasm.init()
  await engine.connection.connect()
  const all = await engine.rpc.getUtxosByAddresses([address])
  const entries = all.filter(({ outpoint }) => outpoints.includes(toOutpointKey(outpoint)))
  const { transactionIds } = await engine.transactions.sweep({
    ...{ entries, privateKeys: [privateKeyHex], to: recipients.address(id) },
  })
  await engine.dispose()
  return transactionIds.at(-1)!
}

/** The branch of the other node wins. */
async function letOtherWin(): Promise<void> {
  await other.mine(6)
  await devnode.sync(other)
}

/** Signs a payment of all UTXOs, which the other node never sees, and one elsewhere. */
async function conflict(amount: bigint, elsewhere: () => Promise<string>): Promise<string> {
  other = await devnode.fork()
  await queue.payouts.pay('own', { address: recipients.address(1), amount })
  await expect.poll(() => stateOf('own')).toBe('relayed')
  const transactionId = await elsewhere()
  await letOtherWin()
  return transactionId
}

it('pays an excluded payment again from the change of the transaction that has excluded it', async () => {
  const foreign = await conflict(905n * KAS, () => payElsewhere(2, 50n * KAS))
  let problem: unknown = null
  queue.payouts.status$.subscribe((status) => (problem = status.problem))
  await expect.poll(() => problem).toMatchObject({ code: 'foreign-debit', transactionId: foreign })
  await expect.poll(() => stateOf('own')).toBe('conflicting')
  await queue.payouts.acknowledge(foreign)
  await pollMined(devnode, () => stateOf('own')).toBe('settled')
  expect((await queue.payouts.get('own'))?.attempts.map(({ kind }) => kind)).toEqual(['pay', 'again'])
  expect(timesPaid(1)).toBe(1)
})

it('pays an excluded payment again from an input that is left, which all attempts spend', async () => {
  const foreign = await conflict(905n * KAS, () => payElsewhere(2, undefined, 1))
  await expect.poll(() => stateOf('own')).toBe('conflicting')
  await devnode.fund(devnode.accounts[0]!.address, 500n * KAS)
  await devnode.mine(4)
  await queue.payouts.acknowledge(foreign)
  await pollMined(devnode, () => stateOf('own')).toBe('settled')
  expect(timesPaid(1)).toBe(1)
})

it('pays nothing again where no transaction excludes both, and releases only what is deep enough', async () => {
  const foreign = await conflict(905n * KAS, () => payElsewhere(2))
  await expect.poll(() => stateOf('own')).toBe('conflicting')
  await devnode.fund(devnode.accounts[0]!.address, 2_000n * KAS)
  await queue.payouts.acknowledge(foreign)
  await queue.payouts.pay('later', { address: recipients.address(3), amount: KAS })
  await pollMined(devnode, () => stateOf('later')).toBe('settled')
  expect(await stateOf('own')).toBe('conflicting')
  await expect(queue.payouts.release('own')).rejects.toMatchObject({ code: 'not-releasable' })
  expect([1, 3].map(timesPaid)).toEqual([0, 1])
  if (!FULL) return
  await devnode.mine(1_000)
  await expect
    .poll(() =>
      queue.payouts.release('own', { confirmations: 1_000 }).then(
        ({ state }) => state,
        (error: unknown) => String(error),
      ),
    )
    .toMatch(/queued|signed|relayed/)
  await pollMined(devnode, () => stateOf('own')).toBe('settled')
  expect([1, 3].map(timesPaid)).toEqual([1, 1])
})

it('pays what was released once, where a reorg revives the transaction that paid it with others', async () => {
  other = await devnode.fork()
  await queue.payouts.hold()
  const pay = (id: string, at: number) => queue.payouts.pay(id, { address: recipients.address(at), amount: 100n * KAS })
  await Promise.all([pay('released', 1), pay('left', 3)])
  await queue.payouts.resume()
  await expect.poll(() => Promise.all(['released', 'left'].map(stateOf))).toEqual(['relayed', 'relayed'])
  const rows = journal.access({ network: 'simnet', name: devnode.accounts[0]!.address })
  const [group] = await rows.groups({ of: 'open' })
  const foreign = await spendElsewhere(2, outpointsOf(group!.attempts[0]!))
  await letOtherWin()
  await expect.poll(() => Promise.all(['released', 'left'].map(stateOf))).toEqual(['conflicting', 'conflicting'])
  const [record] = await rows.find(['released'])
  await rows.write({ payouts: [updateOf(record!, { type: 'released' }, null)] }) // at any depth
  await queue.payouts.acknowledge(foreign)
  const settled = (id: string) => pollMined(devnode, () => stateOf(id)).toBe('settled')
  await settled('released')
  const conflict = await queue.payouts.get('left')
  const { sinkBlueScore } = await queue.engine.rpc.getSinkBlueScore()
  const depth = conflict?.state === 'conflicting' ? Number(sinkBlueScore - conflict.blueScore) + 3 : 0
  await devnode.reorg({ depth, drop: [foreign] })
  await settled('left')
  await settled('released')
  expect([1, 2, 3].map(timesPaid)).toEqual([1, 0, 1])
  expect((await queue.payouts.get('left'))?.attempts).toMatchObject([{ kind: 'pay' }, { kind: 'cancel', pays: true }])
})

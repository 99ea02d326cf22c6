import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Devnode } from '../../src/devnode/index.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import { attemptOf, idOf, outpointOf } from '../../src/payouts/testing/journal-fixtures.js'
import type { Account } from '../../src/streams/accounts/accounts.js'
import { chainableChange, hasDescendants } from '../../src/streams/payouts/change-chains.js'
import { decideStep } from '../../src/streams/payouts/decide-step.js'
import type { PayoutAttempt, PayoutGroup, PayoutRecord } from '../../src/streams/payouts/journal.js'
import type { PayoutProgress } from '../../src/streams/payouts/progress.js'
import { pollMined } from '../poll-mined.js'
import { createQueue, KAS, openRecipients, startNode, type TestQueue } from './support/queue.js'

const payoutOf = (id: string, group: string, progress: PayoutProgress): PayoutRecord => ({
  ...{ id, address: 'recipient', amount: 5n, notBefore: null, sequence: 1n, requestedAt: 0, version: 3 },
  ...{ group, progress },
})

/** A relayed attempt that pays one payout, with one output of change. */
function attemptWithChange(id: number, input: string, number = 0): PayoutAttempt {
  const attempt = attemptOf(id, [0], [`payout ${id}`], number)
  const [transactionId = '', index] = input.split(':')
  const scriptPublicKey = { version: 0, script: `20${idOf(7)}ac` }
  const output = (value: string) => ({ value, scriptPublicKey })
  const inputs = attempt.signed.inputs.map((each) => ({
    ...each,
    previousOutpoint: { transactionId, index: Number(index) },
  }))
  return { ...attempt, outcome: 'relayed', signed: { ...attempt.signed, inputs, outputs: [output('5'), output('90')] } }
}

const groupOf = (id: number, input: string, fields: Partial<PayoutGroup> = {}): PayoutGroup => ({
  ...{ id: idOf(id), state: 'open', version: 1, bumpRate: null, conflicts: [] },
  attempts: [attemptWithChange(id, input)],
  payouts: [payoutOf(`payout ${id}`, idOf(id), { state: 'relayed' })],
  ...fields,
})

const changeOf = (id: number): `${string}:${number}` => `${idOf(id)}:1`
const claimsOf = (...outpoints: readonly `${string}:${number}`[]) => new Map(outpoints.map((each) => [each, 'a group']))
const found = (groups: readonly PayoutGroup[], claims = claimsOf(), limit = 3) =>
  chainableChange(groups, claims, limit).map(({ entry, depth }) => [entry.outpoint.transactionId, entry.amount, depth])

describe('chainableChange', () => {
  const chain = [groupOf(1, outpointOf(50)), groupOf(2, changeOf(1)), groupOf(3, changeOf(2))]

  it('is the change that no payment spends, up to a depth', () => {
    expect(found([groupOf(1, outpointOf(50))])).toEqual([[idOf(1), 90n, 1]])
    expect(found(chain, claimsOf(changeOf(1), changeOf(2)))).toEqual([[idOf(3), 90n, 3]])
    expect(found(chain, claimsOf(changeOf(1), changeOf(2)), 2)).toEqual([])
    expect(found(chain, claimsOf(), 0)).toEqual([])
  })

  const first = attemptWithChange(1, outpointOf(50))
  it.each<[string, Partial<PayoutGroup>]>([
    ['of a payment that no node has', { attempts: [{ ...first, outcome: 'unknown' }] }],
    ['of a payment with a replacement', { attempts: [first, attemptWithChange(9, outpointOf(50), 1)] }],
    ['of a payment that is to be replaced', { bumpRate: 2 }],
    ['of a payment that is to be cancelled', { payouts: [payoutOf('a', idOf(1), { state: 'cancelling' })] }],
    [
      'of a payment whose input another transaction has spent',
      { conflicts: [{ outpoint: outpointOf(50), transactionId: idOf(9), blueScore: 1n }] },
    ],
    ['of an excluded payment', { state: 'excluded' }],
  ])('leaves out that %s', (_, fields) => {
    expect(found([groupOf(1, outpointOf(50), fields)])).toEqual([])
  })

  it('finds which groups have descendants', () => {
    expect(hasDescendants(chain[0]!, claimsOf(changeOf(1)))).toBe(true)
    expect(hasDescendants(chain[1]!, claimsOf(changeOf(1), `${idOf(2)}:0`))).toBe(false)
  })
})

describe('decideStep', () => {
  const chain = [groupOf(3, changeOf(2)), groupOf(2, changeOf(1)), groupOf(1, outpointOf(50))]
  const step = { from: 'before', minConfirmations: 10, recipients: new Map(), debits: [] }
  const conflict = { transactionId: idOf(9), blueScore: 95n }

  it('excludes with a payment those that spend its change, and takes that back with it', () => {
    const groups = chain.map((group) =>
      group.id === idOf(1) ? { ...group, conflicts: [{ ...conflict, outpoint: outpointOf(50) }] } : group,
    )
    const batch = { cursor: 'next', rollback: null, transactions: [] }
    const change = decideStep({ ...step, batch, blueScore: 105n, groups })
    expect(change.groups?.map(({ id, state, conflicts }) => [id, state, conflicts])).toEqual([
      [idOf(3), 'excluded', [{ ...conflict, outpoint: changeOf(2) }]],
      [idOf(2), 'excluded', [{ ...conflict, outpoint: changeOf(1) }]],
      [idOf(1), 'excluded', [{ ...conflict, outpoint: outpointOf(50) }]],
    ])
    expect(change.payouts?.map(({ progress }) => progress.state)).toEqual(Array(3).fill('conflicting'))
    const rollback = { hash: idOf(90), blueScore: 94n, daaScore: 0n }
    const excluded = groups.map((group, at) => ({ ...group, ...change.groups![at]!, payouts: [] }))
    const back = decideStep({ ...step, batch: { ...batch, rollback }, blueScore: 94n, groups: excluded })
    expect(back.groups?.map(({ state, conflicts }) => [state, conflicts])).toEqual(Array(3).fill(['open', []]))
  })

  it('excludes what spends the change of an attempt where the chain has accepted another one', () => {
    const again = { ...attemptWithChange(8, outpointOf(51), 1), acceptedBlueScore: 95n, acceptingBlock: idOf(90) }
    const groups = chain.map((group) =>
      group.id === idOf(1) ? { ...group, attempts: [...group.attempts, again] } : group,
    )
    const batch = { cursor: 'next', rollback: null, transactions: [] }
    const change = decideStep({ ...step, batch, blueScore: 100n, groups })
    expect(change.groups?.map(({ id, conflicts }) => [id, conflicts])).toEqual([
      [idOf(3), [{ outpoint: changeOf(2), transactionId: idOf(8), blueScore: 95n }]],
      [idOf(2), [{ outpoint: changeOf(1), transactionId: idOf(8), blueScore: 95n }]],
    ])
  })
})

describe('a queue with chainDepth', () => {
  let devnode: Devnode
  let recipients: Account
  let queue: TestQueue
  beforeEach(async () => {
    devnode = await startNode()
    recipients = await openRecipients()
    queue = createQueue([devnode], memoryJournal(), { batch: { maxWait: 0, splitTo: 1, chainDepth: 2 } })
    queue.run()
    await devnode.mine(3)
  })
  afterEach(async () => {
    await queue.end()
    await devnode.close()
  })

  const pay = (id: number, amount: bigint) => queue.payouts.pay(String(id), { address: recipients.address(id), amount })
  const stateOf = async (id: number) => (await queue.payouts.get(String(id)))?.state
  const timesPaid = (id: number) => devnode.expected.transfers([recipients.address(id)]).length

  /** Three payments, each from the change of the one before. */
  async function payChain(): Promise<void> {
    await pay(0, 905n * KAS) // from all UTXOs of the account
    await expect.poll(() => stateOf(0)).toBe('relayed')
    await pay(1, 30n * KAS)
    await expect.poll(() => stateOf(1)).toBe('relayed')
    await pay(2, 25n * KAS)
    await expect.poll(() => stateOf(2)).toBe('relayed')
  }

  it('spends change that is not settled, and waits for it beyond that depth', async () => {
    await payChain()
    await pay(3, KAS)
    await expect.poll(() => queue.payouts.get('3')).toMatchObject({ state: 'waiting', reason: 'own-change' })
    await expect(queue.payouts.bump('0', { feeRate: 500 })).rejects.toMatchObject({ code: 'not-replaceable' })
    await expect(queue.payouts.cancel('1')).rejects.toMatchObject({ code: 'not-cancellable' })
    expect((await queue.payouts.cancel('2')).state).toBe('cancelling')
    await expect
      .poll(async () => (await queue.payouts.get('2'))?.attempts.at(-1))
      .toMatchObject({ kind: 'cancel', outcome: 'relayed' })
    await pollMined(devnode, () => Promise.all([0, 1, 2, 3].map(stateOf))).toEqual([
      'settled',
      'settled',
      'cancelled',
      'settled',
    ])
    expect([0, 1, 2, 3].map(timesPaid)).toEqual([1, 1, 0, 1])
  })

  it('brings a chain to a node that has forgotten it, in its order', async () => {
    await payChain()
    await devnode.mine(2) // no block holds two payments of a chain
    await devnode.reorg({ depth: 2 })
    await pollMined(devnode, () => Promise.all([0, 1, 2].map(stateOf))).toEqual(['settled', 'settled', 'settled'])
    expect([0, 1, 2].map(timesPaid)).toEqual([1, 1, 1])
  })

  it('counts the time of a payment that waits for another one from when a block could take it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const pass = (ms: number): void => void vi.advanceTimersByTime(ms)
    await pay(0, 905n * KAS)
    await expect.poll(() => stateOf(0)).toBe('relayed')
    await pay(1, 30n * KAS)
    await expect.poll(() => stateOf(1)).toBe('relayed')
    pass(60_000) // longer than bumpAfter
    await devnode.mine(2)
    await expect.poll(() => stateOf(0)).toBe('accepted')
    for (let turn = 3; turn < 6; turn++) {
      pass(2_000)
      await pay(turn, 50_000n * KAS)
      await expect.poll(() => stateOf(turn)).toBe('waiting') // the queue has seen whether it replaces
    }
    expect((await queue.payouts.get('1'))?.attempts).toMatchObject([{ kind: 'pay' }])
  })

  it('excludes a chain whose first payment loses, and pays none of it twice', async () => {
    const other = await devnode.fork()
    await payChain()
    const rival = createQueue([other], memoryJournal(), {})
    rival.run()
    await other.mine(2)
    await rival.payouts.pay('rival', { address: recipients.address(9), amount: 900n * KAS })
    await pollMined(other, async () => (await rival.payouts.get('rival'))?.state).toBe('settled')
    await rival.end()
    await other.mine(6)
    await devnode.sync(other)
    await pollMined(devnode, () => Promise.all([0, 1, 2].map(stateOf))).toEqual([
      'conflicting',
      'conflicting',
      'conflicting',
    ])
    expect([0, 1, 2].map(timesPaid)).toEqual([0, 0, 0])
    await other.close()
  })
})

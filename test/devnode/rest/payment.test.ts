import { beforeAll, describe, expect, it } from 'vitest'
import type { Transaction } from '../../../src/model/transaction.js'
import { computeMass } from '../../../src/model/mass.js'
import { FEE, coinMadeBy, walletOf } from '../ledger/wallet.js'
import { createLocalIndexer, type LocalIndexer } from './local-indexer.js'

const [alice, bob] = [walletOf(1), walletOf(2)]
const AMOUNT = 9_007_199_254_740_993n

/** A signed transaction as the server takes it. */
const toModel = ({ version, inputs, outputs, lockTime, subnetworkId }: Transaction) => ({
  transaction: {
    version,
    inputs: inputs.map((input) => ({ ...input, sequence: Number(input.sequence) })),
    outputs: outputs.map(({ value, scriptPublicKey: { version: scriptVersion, script } }) => ({
      amount: String(value),
      scriptPublicKey: { version: scriptVersion, scriptPublicKey: script },
    })),
    lockTime: Number(lockTime),
    subnetworkId,
  },
})

describe('one payment, as the server shows it', () => {
  let indexer: LocalIndexer
  let payment: Transaction
  let id: string

  /** What a client sees of the payment and of its recipient. */
  async function look() {
    const balance = await indexer.ask('GET', `/addresses/${bob.address}/balance`)
    return {
      byId: (await indexer.ask('GET', `/transactions/${id}`)).status,
      search: await indexer.read('POST', '/transactions/search?fields=is_accepted', { transactionIds: [id] }),
      accepted: (
        (await indexer.read('POST', '/transactions/acceptance', { transactionIds: [id] })) as { accepted: boolean }[]
      )[0]?.accepted,
      balance: balance.body?.replace(/.*:/, ''),
      listed: await indexer.read('GET', `/addresses/${bob.address}/transactions-count`),
      active: (
        (await indexer.read('POST', '/addresses/active', { addresses: [bob.address] })) as { active: boolean }[]
      )[0]?.active,
    }
  }

  beforeAll(async () => {
    indexer = createLocalIndexer([{ address: alice.address, amount: AMOUNT + FEE }])
    indexer.mine(2)
    payment = alice.pay(indexer.ledger.truth.utxos([alice.address]), [{ to: bob.address, amount: AMOUNT }])
    const answer = (await indexer.read('POST', '/transactions', toModel(payment))) as { transactionId: string }
    id = answer.transactionId
  })

  it('in the mempool: nobody but the node knows of it', async () => {
    expect(await look()).toEqual({
      byId: 404,
      search: [],
      accepted: false,
      balance: '0}',
      listed: { total: 0 },
      active: false,
    })
  })

  it('is refused a second time in the node’s own words', async () => {
    const again = await indexer.ask('POST', '/transactions', JSON.stringify(toModel(payment)))
    expect(again.status).toBe(400)
    expect(again.body).toBe(`{"error":"Rejected transaction ${id}: transaction ${id} is already in the mempool"}`)
  })

  it('in a block, not yet accepted: found, and the balance has it already', async () => {
    indexer.mine(1)
    expect(await look()).toEqual({
      byId: 200,
      search: [{ is_accepted: false }],
      accepted: false,
      balance: `${AMOUNT}}`,
      listed: { total: 1 },
      active: true,
    })
  })

  it('accepted by the next chain block, to the last sompi', async () => {
    indexer.mine(1)
    expect(await look()).toMatchObject({ byId: 200, search: [{ is_accepted: true }], accepted: true })
    const { body } = await indexer.ask('GET', `/transactions/${id}?resolve_previous_outpoints=light`)
    expect(body).toContain(`"amount":${AMOUNT}`)
    expect(body).toContain(`"previous_outpoint_address":"${alice.address}"`)
  })

  it('weighs the next payment as the node does', async () => {
    const next = bob.pay([coinMadeBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }])
    const { transaction } = toModel(next)
    expect(await indexer.read('POST', '/transactions/mass', transaction)).toEqual({
      mass: Number(computeMass(next)),
      storage_mass: 0,
      compute_mass: Number(computeMass(next)),
    })
  })

  it('weighs a payment of a coin that was there from the start', async () => {
    const weighed = await indexer.ask('POST', '/transactions/mass', JSON.stringify(toModel(payment).transaction))
    expect([weighed.status, JSON.parse(weighed.body ?? '')]).toMatchObject([200, { storage_mass: 0 }])
  })

  it('does not know what a payment weighs that spends what nobody made', async () => {
    const { transaction } = toModel(payment)
    transaction.inputs[0]!.previousOutpoint = { transactionId: 'ab'.repeat(32), index: 0 }
    const unindexed = await indexer.ask('POST', '/transactions/mass', JSON.stringify(transaction))
    expect([unindexed.status, unindexed.body]).toEqual([404, expect.stringContaining('Previous outpoint(s) not found')])
  })

  it.each([
    ['an amount of zero', (model: ReturnType<typeof toModel>) => (model.transaction.outputs[0]!.amount = '0')],
    [
      'an output that its transaction has not',
      (model: ReturnType<typeof toModel>) =>
        (model.transaction.inputs[0]!.previousOutpoint = { transactionId: id, index: 99 }),
    ],
  ])('fails to weigh %s', async (_, spoil) => {
    const model = toModel(bob.pay([coinMadeBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }]))
    spoil(model)
    const answer = await indexer.ask('POST', '/transactions/mass', JSON.stringify(model.transaction))
    expect([answer.status, answer.headers?.['cache-control']]).toEqual([500, undefined])
  })

  it('is taken back with its block, and accepted again by the new branch', async () => {
    indexer.mine(2)
    indexer.reorg(3)
    expect(await look()).toMatchObject({ byId: 200, listed: { total: 1 } })
  })
})

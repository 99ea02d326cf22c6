import { beforeAll, describe, expect, it } from 'vitest'
import type { Transaction } from '../../../src/model/transaction.js'
import { computeMass } from '../../../src/model/mass.js'
import { FEE, utxoCreatedBy, walletOf } from '../ledger/wallet.js'
import { createLocalIndexer, type LocalIndexer } from './local-indexer.js'

const [alice, bob] = [walletOf(1), walletOf(2)]
const AMOUNT = 9_007_199_254_740_993n

/** A signed transaction in the server's model. */
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

describe('one payment over REST', () => {
  let indexer: LocalIndexer
  let payment: Transaction
  let id: string

  /** The REST state of the payment and its recipient. */
  async function readState() {
    const balance = await indexer.request('GET', `/addresses/${bob.address}/balance`)
    return {
      byId: (await indexer.request('GET', `/transactions/${id}`)).status,
      search: await indexer.read('POST', '/transactions/search?fields=is_accepted', { transactionIds: [id] }),
      accepted: (
        (await indexer.read('POST', '/transactions/acceptance', { transactionIds: [id] })) as { accepted: boolean }[]
      )[0]?.accepted,
      balance: balance.body?.split(':').at(-1),
      listed: await indexer.read('GET', `/addresses/${bob.address}/transactions-count`),
      active: (
        (await indexer.read('POST', '/addresses/active', { addresses: [bob.address] })) as { active: boolean }[]
      )[0]?.active,
    }
  }

  beforeAll(async () => {
    indexer = createLocalIndexer([{ address: alice.address, amount: AMOUNT + FEE }])
    indexer.mine(2)
    payment = alice.pay(indexer.ledger.expected.utxos([alice.address]), [{ to: bob.address, amount: AMOUNT }])
    const response = (await indexer.read('POST', '/transactions', toModel(payment))) as { transactionId: string }
    id = response.transactionId
  })

  it('in the mempool: is not found', async () => {
    expect(await readState()).toEqual({
      byId: 404,
      search: [],
      accepted: false,
      balance: '0}',
      listed: { total: 0 },
      active: false,
    })
  })

  it('is rejected a second time with the node’s error text', async () => {
    const again = await indexer.request('POST', '/transactions', JSON.stringify(toModel(payment)))
    expect(again.status).toBe(400)
    expect(again.body).toBe(`{"error":"Rejected transaction ${id}: transaction ${id} is already in the mempool"}`)
  })

  it('in a block, not accepted: is found and in the balance', async () => {
    indexer.mine(1)
    expect(await readState()).toEqual({
      byId: 200,
      search: [{ is_accepted: false }],
      accepted: false,
      balance: `${AMOUNT}}`,
      listed: { total: 1 },
      active: true,
    })
  })

  it('accepted by the next chain block: is exact to the sompi', async () => {
    indexer.mine(1)
    expect(await readState()).toMatchObject({ byId: 200, search: [{ is_accepted: true }], accepted: true })
    const { body } = await indexer.request('GET', `/transactions/${id}?resolve_previous_outpoints=light`)
    expect(body).toContain(`"amount":${AMOUNT}`)
  })

  it.each(['light', 'full'])('has senders by id only if the previous transaction is indexed: %s', async (detail) => {
    const query = `resolve_previous_outpoints=${detail}`
    const search = (transactionId: string) =>
      indexer.read('POST', `/transactions/search?${query}`, { transactionIds: [transactionId] })
    const inputsOf = (record: unknown) => (record as { inputs: object[] }).inputs
    const fields = { previous_outpoint_address: alice.address, previous_outpoint_amount: expect.any(Number) as number }

    const [ofGenesis] = inputsOf(await indexer.read('GET', `/transactions/${id}?${query}`))
    expect(Object.keys(ofGenesis ?? {}).filter((name) => /^previous_outpoint_(?!hash|index)/.test(name))).toEqual([])
    const [listed] = inputsOf(((await search(id)) as unknown[])[0])
    expect(listed).toMatchObject(fields)
    expect(listed).not.toHaveProperty('previous_outpoint_resolved')

    const own = createLocalIndexer([{ address: alice.address, amount: AMOUNT + 2n * FEE }])
    own.mine(2)
    const first = alice.pay(own.ledger.expected.utxos([alice.address]), [{ to: alice.address, amount: AMOUNT + FEE }])
    const second = alice.pay([utxoCreatedBy(first)], [{ to: bob.address, amount: AMOUNT }])
    await own.read('POST', '/transactions', toModel(first))
    own.mine(2)
    const { transactionId } = (await own.read('POST', '/transactions', toModel(second))) as { transactionId: string }
    own.mine(2)
    const [ofIndexed] = inputsOf(await own.read('GET', `/transactions/${transactionId}?${query}`))
    expect(ofIndexed).toMatchObject(fields)
    expect('previous_outpoint_resolved' in (ofIndexed ?? {})).toBe(detail === 'full')
  })

  it('computes the mass of the next payment as the node does', async () => {
    const next = bob.pay([utxoCreatedBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }])
    const { transaction } = toModel(next)
    expect(await indexer.read('POST', '/transactions/mass', transaction)).toEqual({
      mass: Number(computeMass(next)),
      storage_mass: 0,
      compute_mass: Number(computeMass(next)),
    })
  })

  it('computes the mass of a payment with a genesis UTXO', async () => {
    const weighed = await indexer.request('POST', '/transactions/mass', JSON.stringify(toModel(payment).transaction))
    expect([weighed.status, JSON.parse(weighed.body ?? '')]).toMatchObject([200, { storage_mass: 0 }])
  })

  it('responds 404 for the mass of a payment with an unknown input', async () => {
    const { transaction } = toModel(payment)
    transaction.inputs[0]!.previousOutpoint = { transactionId: 'ab'.repeat(32), index: 0 }
    const unindexed = await indexer.request('POST', '/transactions/mass', JSON.stringify(transaction))
    expect([unindexed.status, unindexed.body]).toEqual([404, expect.stringContaining('Previous outpoint(s) not found')])
  })

  it.each([
    ['an amount of zero', (model: ReturnType<typeof toModel>) => (model.transaction.outputs[0]!.amount = '0')],
    [
      'a missing output of a known transaction',
      (model: ReturnType<typeof toModel>) =>
        (model.transaction.inputs[0]!.previousOutpoint = { transactionId: id, index: 99 }),
    ],
  ])('responds 500 for the mass of %s', async (_, corrupt) => {
    const model = toModel(bob.pay([utxoCreatedBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }]))
    corrupt(model)
    const response = await indexer.request('POST', '/transactions/mass', JSON.stringify(model.transaction))
    expect([response.status, response.headers?.['cache-control']]).toEqual([500, undefined])
  })

  it('computes the mass of a transaction without inputs', async () => {
    const model = toModel(bob.pay([utxoCreatedBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }]))
    const transaction = { ...model.transaction, inputs: [] }
    const weighed = await indexer.request('POST', '/transactions/mass', JSON.stringify(transaction))
    expect([weighed.status, JSON.parse(weighed.body ?? '')]).toMatchObject([200, { storage_mass: expect.any(Number) }])
  })

  it('is still found after a reorg', async () => {
    indexer.mine(2)
    indexer.reorg(3)
    expect(await readState()).toMatchObject({ byId: 200, listed: { total: 1 } })
  })
})

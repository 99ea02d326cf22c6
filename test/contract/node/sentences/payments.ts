import { secp256k1 } from '@noble/curves/secp256k1.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInsufficientFunds } from '../../../../src/errors/insufficient-funds.js'
import { isOutputTooSmall } from '../../../../src/errors/output-too-small.js'
import { encodeAddress } from '../../../../src/model/address.js'
import { fromHex } from '../../../../src/model/hex.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../../src/operations/transactions/records.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transactions.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import { coinsOnceAccepted } from '../support/coins-once-accepted.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'
import { createPayment, type Person } from '../support/payment.js'

const KAS = 100_000_000n

/** Payments of ours, judged by a node. */
export function payments(node: NodeUnderTest): void {
  describe('a payment that we built and signed', () => {
    let operations: TransactionOperations

    beforeAll(async () => {
      operations = operationsOn(node, await loadSdk())
    })

    /** Pays 5 KAS to a stranger out of a coin of the purse; resolves to the coins that the stranger then has. */
    const pay = async (more: Partial<CreateTransactionSettings> = {}): Promise<readonly UtxoEntry[]> => {
      const { coin, owner } = await node.coin()
      const { address } = node.stranger()
      const settings = {
        entries: [coin],
        outputs: [{ address, amount: 5n * KAS }],
        changeAddress: owner.address,
        ...more,
      }
      const { transactionIds } = await operations.send({ ...settings, privateKeys: [owner.privateKey] })
      return coinsOnceAccepted(node, address, transactionIds)
    }

    it.each<[string, Partial<CreateTransactionSettings>]>([
      ['the least fee that nodes take', {}],
      ['a priority fee', { priorityFee: 12_345n }],
      ['a fee rate', { feeRate: 123.4 }],
      ['a payload', { payload: 'c0ffee' }],
      ['a payload so long that its bytes outweigh the rest', { payload: 'ab'.repeat(3000) }],
    ])('is accepted with %s', async (_, more) => {
      expect((await pay(more)).map(({ amount }) => amount)).toEqual([5n * KAS])
    })

    it('is accepted from an ECDSA address', async () => {
      const person = node.stranger()
      const address = encodeAddress(
        node.network.addressPrefix,
        'PubKeyECDSA',
        secp256k1.getPublicKey(fromHex(person.privateKey)),
      )
      const { transactionId } = await node.pay(address, 5n * KAS)
      const entries = await coinsOnceAccepted(node, address, [transactionId])
      const { transactionIds } = await operations.send({
        entries,
        changeAddress: person.address,
        privateKeys: [person.privateKey],
      })
      expect(await coinsOnceAccepted(node, person.address, transactionIds)).toHaveLength(1)
    })

    it('is accepted from coins so many that they are moved together first', async () => {
      const person = node.stranger()
      const entries = await manyCoins(node, person, 5)
      const { address } = node.stranger()
      const outputs = [{ address, amount: 89n * KAS }]
      const sent = await operations.send({
        entries,
        outputs,
        changeAddress: person.address,
        privateKeys: [person.privateKey],
      })
      expect(sent.summary.transactions).toBe(2)
      expect(await coinsOnceAccepted(node, address, sent.transactionIds.slice(-1))).toMatchObject([
        { amount: 89n * KAS },
      ])
    })

    it('is accepted down to the smallest output that we say there is, and refused a sompi below', async () => {
      const { coin, owner } = await node.coin()
      const { address } = node.stranger()
      const settings = { entries: [coin], changeAddress: owner.address }
      const error: unknown = await operations
        .estimate({ ...settings, outputs: [{ address, amount: 1n }] })
        .catch((cause: unknown) => cause)
      if (!isOutputTooSmall(error)) throw new Error(String(error))
      const below = createPayment({ from: owner, coins: [coin], to: [{ address, amount: error.smallest - 1n }] })
      const { transaction } = below
      expect(await node.client.refusal('submitTransaction', { transaction, allowOrphan: false })).toContain(
        'storage mass of',
      )
      const outputs = [{ address, amount: error.smallest }]
      const { transactionIds } = await operations.send({ ...settings, outputs, privateKeys: [owner.privateKey] })
      expect(await coinsOnceAccepted(node, address, transactionIds)).toMatchObject([{ amount: error.smallest }])
    })

    it('leaves rewards aside that have just been mined', async () => {
      const miner = node.stranger()
      await node.mine(3, miner.address)
      const { entries } = await node.client.call('getUtxosByAddresses', { addresses: [miner.address] })
      const error: unknown = await operations
        .create({ entries, changeAddress: miner.address })
        .catch((cause: unknown) => cause)
      if (!isInsufficientFunds(error)) throw new Error(String(error))
      expect(error.immature).toBe(entries.reduce((sum, { amount }) => sum + amount, 0n))
    })

    it('is refused with a reason where its coin is spent', async () => {
      const { coin, owner } = await node.coin()
      const settings = { entries: [coin], changeAddress: owner.address, privateKeys: [owner.privateKey] }
      const { transactionIds } = await operations.send(settings)
      const again = operationsOn(node, await loadSdk())
      await expect(again.send({ ...settings, payload: 'ab' })).rejects.toMatchObject({ reason: 'double-spend' })
      await coinsOnceAccepted(node, owner.address, transactionIds)
      await expect(again.send({ ...settings, payload: 'cd' })).rejects.toMatchObject({ reason: 'orphan' })
    })
  })
}

/** Coins of 1 KAS for somebody, 18 from each of some coins of the purse. */
async function manyCoins(node: NodeUnderTest, { address }: Person, payers: number): Promise<readonly UtxoEntry[]> {
  const to = Array.from({ length: 18 }, () => ({ address, amount: KAS }))
  const ids: string[] = []
  for (let paid = 0; paid < payers; paid++) ids.push((await node.pay(address, KAS, { to })).transactionId)
  return coinsOnceAccepted(node, address, ids)
}

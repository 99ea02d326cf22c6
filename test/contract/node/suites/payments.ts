import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { isInsufficientFunds, isOutputTooSmall } from '../../../../src/errors/payment-errors.js'
import { encodeAddress } from '../../../../src/model/address.js'
import { fromHex } from '../../../../src/model/hex.js'
import type { SerializedTransaction } from '../../../../src/model/serialized-transaction.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { CreateTransactionSettings } from '../../../../src/operations/transactions/records.js'
import type { TransactionSigner, SdkPort } from '../../../../src/sdk/port.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transaction-operations.js'
import { light } from '../../../../src/sdk/light/light.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import { utxosOnceAccepted } from '../support/utxos-once-accepted.js'
import { indexedUtxos } from '../support/indexed-utxos.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'
import { createPayment, type Account } from '../support/payment.js'

const KAS = 100_000_000n

const SDKS: readonly (readonly [string, () => Promise<SdkPort>])[] = [
  ['the WASM SDK', () => loadSdk()],
  ['light', () => light.loadPort()],
]

/** Payments of the library, submitted to a node. */
export function payments(node: NodeUnderTest): void {
  describe.each(SDKS)('a payment built by the library and signed by %s', (_, load) => {
    let operations: TransactionOperations

    beforeAll(async () => {
      operations = operationsOn(node, await load())
    })

    /** Pays 5 KAS to a new address; resolves to the UTXOs of that address. */
    const pay = async (options: Partial<CreateTransactionSettings> = {}): Promise<readonly UtxoEntry[]> => {
      const { utxo, account } = await node.utxo()
      const { address } = node.newAccount()
      const settings = {
        entries: [utxo],
        outputs: [{ address, amount: 5n * KAS }],
        changeAddress: account.address,
        ...options,
      }
      const { transactionIds } = await operations.send({ ...settings, privateKeys: [account.privateKey] })
      return utxosOnceAccepted(node, address, transactionIds)
    }

    it.each<[string, Partial<CreateTransactionSettings>]>([
      ['the minimum fee', {}],
      ['a priority fee', { priorityFee: 12_345n }],
      ['a fee rate', { feeRate: 123.4 }],
      ['a payload', { payload: 'c0ffee' }],
      ['a payload whose transient mass is the largest mass', { payload: 'ab'.repeat(3000) }],
    ])('is accepted with %s', async (_, options) => {
      expect((await pay(options)).map(({ amount }) => amount)).toEqual([5n * KAS])
    })

    it('is accepted from an ECDSA address', async () => {
      const account = node.newAccount()
      const address = encodeAddress(
        node.network.addressPrefix,
        'PubKeyECDSA',
        secp256k1.getPublicKey(fromHex(account.privateKey)),
      )
      const { transactionId } = await node.pay(address, 5n * KAS)
      const entries = await utxosOnceAccepted(node, address, [transactionId])
      const { transactionIds } = await operations.send({
        entries,
        changeAddress: account.address,
        privateKeys: [account.privateKey],
      })
      expect(await utxosOnceAccepted(node, account.address, transactionIds)).toHaveLength(1)
    })

    it('is accepted with the signatures of a signer, from Schnorr and ECDSA addresses', async () => {
      const account = node.newAccount()
      const key = fromHex(account.privateKey)
      const ecdsa = encodeAddress(node.network.addressPrefix, 'PubKeyECDSA', secp256k1.getPublicKey(key))
      const paid = await Promise.all([node.pay(account.address, 3n * KAS), node.pay(ecdsa, 3n * KAS)])
      const [schnorrId = '', ecdsaId = ''] = paid.map(({ transactionId }) => transactionId)
      const entries = [
        ...(await utxosOnceAccepted(node, account.address, [schnorrId])),
        ...(await utxosOnceAccepted(node, ecdsa, [ecdsaId])),
      ]
      const sign: TransactionSigner['sign'] = (requests) =>
        Promise.resolve(
          requests.map(({ sighash, publicKey }) =>
            publicKey.length === 66
              ? secp256k1.sign(sighash, key, { prehash: false, lowS: true })
              : schnorr.sign(sighash, key),
          ),
        )
      const { transactionIds } = await operations.send({ entries, changeAddress: account.address, signer: { sign } })
      expect(await utxosOnceAccepted(node, account.address, transactionIds)).toHaveLength(1)
    })

    it('is accepted with compound transactions for many UTXOs', async () => {
      const account = node.newAccount()
      const entries = await manyUtxos(node, account, 5)
      const { address } = node.newAccount()
      const outputs = [{ address, amount: 89n * KAS }]
      const sent = await operations.send({
        entries,
        outputs,
        changeAddress: account.address,
        privateKeys: [account.privateKey],
      })
      expect(sent.summary.transactions).toBe(2)
      expect(await utxosOnceAccepted(node, address, sent.transactionIds.slice(-1))).toMatchObject([
        { amount: 89n * KAS },
      ])
    })

    it('is accepted with the smallest output of the estimate, and rejected one sompi below', async () => {
      const { utxo, account } = await node.utxo()
      const { address } = node.newAccount()
      const settings = { entries: [utxo], changeAddress: account.address }
      const error: unknown = await operations
        .estimate({ ...settings, outputs: [{ address, amount: 1n }] })
        .catch((cause: unknown) => cause)
      if (!isOutputTooSmall(error)) throw new Error(String(error))
      const below = createPayment({ from: account, utxos: [utxo], to: [{ address, amount: error.smallest - 1n }] })
      const { transaction } = below
      expect(await node.client.rejection('submitTransaction', { transaction, allowOrphan: false })).toContain(
        'storage mass of',
      )
      const outputs = [{ address, amount: error.smallest }]
      const { transactionIds } = await operations.send({ ...settings, outputs, privateKeys: [account.privateKey] })
      expect(await utxosOnceAccepted(node, address, transactionIds)).toMatchObject([{ amount: error.smallest }])
    })

    it('is accepted once where another process restores it, before its submission and after its acceptance', async () => {
      const { utxo, account } = await node.utxo()
      const { address } = node.newAccount()
      const outputs = [{ address, amount: 5n * KAS }]
      const settings = { entries: [utxo], outputs, changeAddress: account.address, privateKeys: [account.privateKey] }
      let stored = ''
      const onSigned = (payments: readonly SerializedTransaction[]): never => {
        stored = JSON.stringify(payments[0])
        throw new Error('The process ends')
      }
      await expect(operations.send(settings, { onSigned })).rejects.toMatchObject({ argument: 'onSigned' })
      for (let process = 0; process < 2; process++) {
        const restored = await operationsOn(node, await load()).restore(JSON.parse(stored) as SerializedTransaction)
        expect(await restored.submit()).toBe(restored.id)
        expect(await utxosOnceAccepted(node, address, [restored.id])).toMatchObject([{ amount: 5n * KAS }])
      }
    })

    it('is rejected as restored payment where another one has spent its UTXO', async () => {
      const { utxo, account } = await node.utxo()
      const settings = { entries: [utxo], changeAddress: account.address, privateKeys: [account.privateKey] }
      const [pending] = (await operations.create(settings)).transactions
      await pending?.signAsync([account.privateKey])
      const other = await operationsOn(node, await load()).send({ ...settings, payload: 'ab' })
      const again = await operationsOn(node, await load()).restore(pending!.serialize())
      await expect(again.submit()).rejects.toMatchObject({
        reason: 'double-spend',
        outcome: 'unknown',
        transactionId: pending?.id,
      })
      await utxosOnceAccepted(node, account.address, other.transactionIds)
    })

    it('excludes immature coinbase outputs', async () => {
      const miner = node.newAccount()
      await node.mine(3, miner.address)
      const entries = await indexedUtxos(node.client, [miner.address], 2)
      const error: unknown = await operations
        .create({ entries, changeAddress: miner.address })
        .catch((cause: unknown) => cause)
      if (!isInsufficientFunds(error)) throw new Error(String(error))
      expect(error.immature).toBe(entries.reduce((sum, { amount }) => sum + amount, 0n))
    })

    it('is rejected with a reason where its UTXO is spent', async () => {
      const { utxo, account } = await node.utxo()
      const settings = { entries: [utxo], changeAddress: account.address, privateKeys: [account.privateKey] }
      const { transactionIds } = await operations.send(settings)
      const again = operationsOn(node, await load())
      await expect(again.send({ ...settings, payload: 'ab' })).rejects.toMatchObject({ reason: 'double-spend' })
      await utxosOnceAccepted(node, account.address, transactionIds)
      await expect(again.send({ ...settings, payload: 'cd' })).rejects.toMatchObject({ reason: 'orphan' })
    })
  })
}

/** Creates 18 UTXOs of 1 KAS per payment at the address. */
async function manyUtxos(node: NodeUnderTest, { address }: Account, payers: number): Promise<readonly UtxoEntry[]> {
  const to = Array.from({ length: 18 }, () => ({ address, amount: KAS }))
  const ids: string[] = []
  for (let paid = 0; paid < payers; paid++) ids.push((await node.pay(address, KAS, { to })).transactionId)
  return utxosOnceAccepted(node, address, ids)
}

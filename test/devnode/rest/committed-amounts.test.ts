import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import type { Devnode } from '../../../src/devnode/devnode.js'
import { createChainEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { commitAmounts } from '../../../src/model/amount-commitment.js'
import type { SerializedTransaction } from '../../../src/model/serialized-transaction.js'
import { light } from '../../../src/sdk/light/light.js'
import { KAS, alice, bob } from '../../operations/transactions/accounts.js'

/** A payment of 5 KAS that spends two UTXOs of 3 KAS: signed, and not sent. */
async function signedPayment(engine: ChainEngine): Promise<SerializedTransaction> {
  const entries = await engine.rpc.getUtxosByAddresses([alice.address])
  const { transactions } = await engine.transactions.create({
    entries,
    outputs: [{ address: bob.address, amount: 5n * KAS }],
    changeAddress: alice.address,
  })
  transactions[0]?.sign([alice.privateKey])
  const serialized = transactions[0]?.serialize()
  if (serialized === undefined) throw new Error('A plan has a transaction')
  return serialized
}

const committed = ({ inputs }: SerializedTransaction): readonly bigint[] =>
  commitAmounts(inputs.map(({ previousOutpoint }) => ({ outpoint: previousOutpoint, amount: 3n * KAS })))

describe('a payment whose sequences commit to the amounts', () => {
  let devnode: Devnode
  let engines: Readonly<Record<'Borsh' | 'SerdeJson', ChainEngine>>

  beforeEach(async () => {
    const utxos = Array.from({ length: 2 }, () => ({ address: alice.address, amount: 3n * KAS }))
    devnode = await createDevnode({ blockInterval: 0, utxos })
    await devnode.mine(2)
    const open = (encoding: 'Borsh' | 'SerdeJson', url: string): ChainEngine =>
      createChainEngine({ network: 'simnet', encoding, url, restUrl: devnode.urls.rest, sdk: light })
    engines = { Borsh: open('Borsh', devnode.urls.borsh), SerdeJson: open('SerdeJson', devnode.urls.json) }
    for (const engine of Object.values(engines)) await Promise.all([engine.connection.connect(), engine.wasm.init()])
  })
  afterEach(async () => {
    for (const engine of Object.values(engines)) await engine.dispose()
    await devnode.close()
  })

  it.each([
    ['Borsh', (payment: SerializedTransaction) => engines.Borsh.rpc.submitTransaction(payment)],
    ['SerdeJson', (payment: SerializedTransaction) => engines.SerdeJson.rpc.submitTransaction(payment)],
    [
      'REST, as serialized',
      async (payment: SerializedTransaction) => (await engines.Borsh.rest.submitTransaction(payment)).transactionId,
    ],
    [
      "REST, in the server's model with bigint",
      async ({ inputs, outputs, version }: SerializedTransaction) => {
        const model = {
          version,
          inputs: inputs.map((input) => ({ ...input, sequence: BigInt(input.sequence) })),
          outputs: outputs.map(({ value, scriptPublicKey: { version: scriptVersion, script } }) => ({
            amount: value,
            scriptPublicKey: { version: scriptVersion, scriptPublicKey: script },
          })),
        }
        return (await engines.Borsh.rest.submitTransaction(model)).transactionId
      },
    ],
  ])('is accepted and read without loss by %s', async (_, submit) => {
    const payment = await signedPayment(engines.Borsh)
    expect(payment.inputs.map(({ sequence }) => BigInt(sequence))).toEqual(committed(payment))
    expect(await submit(payment)).toBe(payment.id)
    for (const { rpc } of Object.values(engines)) {
      const { transaction } = await rpc.getMempoolEntry(payment.id)
      expect(transaction.inputs.map(({ sequence }) => sequence)).toEqual(committed(payment))
    }
    await devnode.mine(2)
    const { block_hash: blocks } = (await engines.Borsh.rest.getTransaction(payment.id)) ?? {}
    const block = await engines.Borsh.rest.getBlock(blocks?.[0] ?? '')
    const found = block.transactions?.find(({ verboseData }) => verboseData.transactionId === payment.id)
    expect(found?.inputs?.map(({ sequenceExact }) => sequenceExact)).toEqual(committed(payment))
  })
})

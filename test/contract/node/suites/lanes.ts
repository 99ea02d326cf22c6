import { describe, expect, it } from 'vitest'
import { hashMerkleRoot } from '../../../../src/model/block.js'
import type { Transaction } from '../../../../src/model/transaction.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment, sign } from '../support/payment.js'

const KAS = 100_000_000n
const MAX_LANES = 50
const MAX_GAS = 1_000_000_000n
/** Outputs of 1 KAS per funding payment. */
const OUTPUTS_PER_PAYMENT = 17

/** Limits of lanes and gas per block for transactions of version 1. */
export function lanes(node: NodeUnderTest): void {
  const { client } = node

  /** One transaction per request, each with a separate UTXO. */
  const inLanes = async (requests: readonly { readonly lane: number; readonly gas: bigint }[]) => {
    const account = node.newAccount()
    for (let made = 0; made < requests.length; made += OUTPUTS_PER_PAYMENT) {
      const to = requests.slice(made, made + OUTPUTS_PER_PAYMENT).map(() => ({ address: account.address, amount: KAS }))
      await node.include((await node.pay(account.address, KAS, { to })).transactionId)
    }
    const { entries } = await client.call('getUtxosByAddresses', { addresses: [account.address] })
    return requests.map(({ lane, gas }, index) => {
      const utxos = [entries[index]!]
      const { transaction } = createPayment({ from: account, utxos, to: [], fee: 1_000_000n })
      const inputs = transaction.inputs.map((input) => ({ ...input, sigOpCount: 0, computeBudget: 10 }))
      const subnetworkId = `ab${lane.toString(16).padStart(6, '0')}${'00'.repeat(16)}`
      return sign({ ...transaction, version: 1, inputs, subnetworkId, gas }, { utxos, from: account })
    })
  }
  const lanesFrom = (count: number) => Array.from({ length: count }, (_, index) => ({ lane: index + 1, gas: 1n }))
  const submitWith = async (transactions: readonly Transaction[]) => {
    const template = await node.template()
    const all = [template.transactions[0]!, ...transactions]
    const block: RpcRawBlock = {
      header: { ...template.header, hashMerkleRoot: hashMerkleRoot(all) },
      transactions: all,
    }
    return (await client.call('submitBlock', { block, allowNonDaaBlocks: false })).report.type
  }

  describe('a block', () => {
    it('accepts transactions of 50 lanes, and rejects 51', async () => {
      const all = await inLanes(lanesFrom(MAX_LANES + 1))
      expect(await submitWith(all)).toBe('reject')
      expect(await submitWith(all.slice(1))).toBe('success')
    })

    it('accepts 1,000,000,000 gas in one lane, and rejects one more', async () => {
      const [full, more] = await inLanes([
        { lane: 7, gas: MAX_GAS },
        { lane: 7, gas: 1n },
      ])
      expect(await submitWith([full!, more!])).toBe('reject')
      expect(await submitWith([full!])).toBe('success')
    })
  })

  describe('a template', () => {
    it('leaves lanes above 50 to the next template', async () => {
      const all = await inLanes(lanesFrom(MAX_LANES + 1))
      for (const transaction of all) await client.call('submitTransaction', { transaction, allowOrphan: false })
      const ids = new Set(all.map(transactionId))
      const counts: number[] = []
      for (let blocks = 0; blocks < 4; blocks++) {
        const { block } = await client.call('getBlock', { hash: await node.mine(), includeTransactions: false })
        counts.push(block.verboseData?.transactionIds.filter((id) => ids.has(id)).length ?? 0)
      }
      expect(counts.filter((count) => count > 0)).toEqual([MAX_LANES, 1])
    })
  })
}

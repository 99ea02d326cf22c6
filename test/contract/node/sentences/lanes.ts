import { describe, expect, it } from 'vitest'
import { hashMerkleRoot } from '../../../../src/model/block.js'
import type { Transaction } from '../../../../src/model/transaction.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment, sign } from '../support/payment.js'

const KAS = 100_000_000n
const MOST_LANES = 50
const MOST_GAS = 1_000_000_000n
/** How many coins of 1 KAS one payment makes. */
const A_PAYMENT = 17

/** Transactions of version 1 in lanes of their own: what of them a block holds together. */
export function lanes(node: NodeUnderTest): void {
  const { client } = node

  /** A transaction for each demand, each of a coin of its own. */
  const inLanes = async (demands: readonly { readonly lane: number; readonly gas: bigint }[]) => {
    const person = node.stranger()
    for (let made = 0; made < demands.length; made += A_PAYMENT) {
      const to = demands.slice(made, made + A_PAYMENT).map(() => ({ address: person.address, amount: KAS }))
      await node.include((await node.pay(person.address, KAS, { to })).transactionId)
    }
    const { entries } = await client.call('getUtxosByAddresses', { addresses: [person.address] })
    return demands.map(({ lane, gas }, index) => {
      const coins = [entries[index]!]
      const { transaction } = createPayment({ from: person, coins, to: [], fee: 1_000_000n })
      const inputs = transaction.inputs.map((input) => ({ ...input, sigOpCount: 0, computeBudget: 10 }))
      const subnetworkId = `ab${lane.toString(16).padStart(6, '0')}${'00'.repeat(16)}`
      return sign({ ...transaction, version: 1, inputs, subnetworkId, gas }, { coins, from: person })
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
    it('holds transactions of 50 lanes, and not of one more', async () => {
      const all = await inLanes(lanesFrom(MOST_LANES + 1))
      expect(await submitWith(all)).toBe('reject')
      expect(await submitWith(all.slice(1))).toBe('success')
    })

    it('holds a thousand million of gas in one lane, and not one more', async () => {
      const [most, more] = await inLanes([
        { lane: 7, gas: MOST_GAS },
        { lane: 7, gas: 1n },
      ])
      expect(await submitWith([most!, more!])).toBe('reject')
      expect(await submitWith([most!])).toBe('success')
    })
  })

  describe('a template', () => {
    it('leaves the lanes beyond 50 for the next one', async () => {
      const all = await inLanes(lanesFrom(MOST_LANES + 1))
      for (const transaction of all) await client.call('submitTransaction', { transaction, allowOrphan: false })
      const ids = new Set(all.map(transactionId))
      const counts: number[] = []
      for (let blocks = 0; blocks < 4; blocks++) {
        const { block } = await client.call('getBlock', { hash: await node.mine(), includeTransactions: false })
        counts.push(block.verboseData?.transactionIds.filter((id) => ids.has(id)).length ?? 0)
      }
      expect(counts.filter((count) => count > 0)).toEqual([MOST_LANES, 1])
    })
  })
}

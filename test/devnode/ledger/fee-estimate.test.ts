import { describe, expect, it } from 'vitest'
import { createLedger } from '../../../src/devnode/ledger/ledger.js'
import { estimateFees } from '../../../src/devnode/ledger/queries/mempool.js'
import type { PoolEntry } from '../../../src/devnode/ledger/mempool/pool.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import { recorded } from './recorded.js'
import { walletOf } from './wallet.js'

type Estimate = RpcResponse<'getFeeEstimate'>['estimate']

const steps = recorded('fee-estimate').steps as readonly { readonly label: string; readonly estimate: Estimate }[]

/** Transactions added to the mempool before each recorded step, of 1,624 grams each. */
const ADDED: readonly (readonly [count: number, feerate: number])[] = [
  [0, 0],
  [1, 100],
  [99, 100],
  [300, 100],
  [100, 1000],
  [400, 5000],
]
const MASS = 1624
const bucketsOf = ({ priorityBucket, normalBuckets, lowBuckets }: Estimate) => [
  priorityBucket,
  ...normalBuckets,
  ...lowBuckets,
]

describe('fee estimate', () => {
  const averages = { mass: (steps[0]?.estimate.priorityBucket.estimatedSeconds ?? 0) * 5_000_000 }
  const entries: PoolEntry[] = []

  it.each(ADDED.map((added, index) => [steps[index]?.label ?? '', added, steps[index]!] as const))(
    'equals that of a real node: %s',
    (_, [count, feerate], { estimate }) => {
      for (let added = 0; added < count; added++) {
        entries.push({ mass: BigInt(MASS), feerate } as PoolEntry)
        averages.mass = averages.mass * 0.99999 + MASS * 0.00001
      }
      const ours = bucketsOf(estimateFees({ averageMass: averages.mass, ready: () => entries }))
      for (const [index, theirs] of bucketsOf(estimate).entries()) {
        expect(ours[index]!.feerate / theirs.feerate).toBeCloseTo(1, 9)
        expect(ours[index]!.estimatedSeconds / theirs.estimatedSeconds).toBeCloseTo(1, 9)
      }
    },
  )

  it('is the minimum for an empty mempool, and rises when the mempool exceeds a block', () => {
    const alice = walletOf(0x33)
    const genesisUtxos = Array.from({ length: 400 }, () => ({ address: alice.address, amount: 10_000_000_000n }))
    const ledger = createLedger({ genesisUtxos })
    const estimate = () => {
      const result = ledger.call('getFeeEstimate', {}, 0)
      return result.ok ? result.value.estimate.priorityBucket : undefined
    }
    expect(estimate()).toEqual({ feerate: 100, estimatedSeconds: 2036 / 5_000_000 })
    for (const utxo of ledger.expected.utxos([alice.address])) {
      const transaction = alice.pay([utxo], [{ to: alice.address, amount: utxo.amount - 162_400n }])
      ledger.call('submitTransaction', { transaction, allowOrphan: false }, 0)
    }
    expect(estimate()?.feerate).toBeGreaterThan(110)
    ledger.mine({ now: 0, count: 2 })
    expect(estimate()?.feerate).toBe(100)
  })
})

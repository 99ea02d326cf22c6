import { describe, expect, it } from 'vitest'
import { TransactionIds } from '../../../src/model/transaction-ids.js'
import { MAX_CHAIN_BLOCKS, applyBatch, type RememberedChain } from '../../../src/streams/acceptance/resumed-batches.js'
import { toChanges, type AcceptanceBatch } from '../../../src/streams/acceptance/acceptance.js'
import { idOf, nameOf } from './ids.js'

/** Block `a` has score 1 and accepts `a1` and `a2`. */
const block = (name: string, blueScore: number) => ({
  hash: name,
  blueScore: BigInt(blueScore),
  daaScore: 0n,
  timestamp: 0,
  transactions: new TransactionIds([idOf(`${name}1`), idOf(`${name}2`)]),
})
const rollback = (hash: string, blueScore: number) => ({ hash, blueScore: BigInt(blueScore), daaScore: 0n })

const show = (batch: AcceptanceBatch): string[] =>
  toChanges(batch).map((change) =>
    change.type === 'rollback'
      ? `to ${change.hash} ${String(change.blueScore)}`
      : `${change.type === 'accepted' ? '+' : '-'}${nameOf(change.transactionId)}@${change.acceptingBlockHash}`,
  )
const namesOf = (chain: RememberedChain): string => chain.map(({ hash }) => hash).join('')

const abc = applyBatch([], { rollback: null, blocks: [block('a', 1), block('b', 3), block('c', 4)] }).chain

describe('applyBatch', () => {
  it('accepts in the order of the chain', () => {
    const { chain, changes } = applyBatch(abc, { rollback: null, blocks: [block('d', 5)] })
    expect(namesOf(chain)).toBe('abcd')
    expect(show(changes)).toEqual(['+d1@d', '+d2@d'])
  })

  it('emits a rollback, then reverts what is above it, newest first, then accepts', () => {
    const { chain, changes } = applyBatch(abc, { rollback: rollback('a', 1), blocks: [block('x', 2)] })
    expect(namesOf(chain)).toBe('ax')
    expect(show(changes)).toEqual(['to a 1', '-c2@c', '-c1@c', '-b2@b', '-b1@b', '+x1@x', '+x2@x'])
  })

  it('emits a rollback of what an earlier process accepted, without reverted transactions', () => {
    expect(show(applyBatch([], { rollback: rollback('z', 9), blocks: [] }).changes)).toEqual(['to z 9'])
  })

  it('remembers the newest blocks only', () => {
    const blocks = Array.from({ length: MAX_CHAIN_BLOCKS + 5 }, (_, at) => block(`b${at}`, at + 1))
    const { chain } = applyBatch([], { rollback: null, blocks })
    expect(chain).toHaveLength(MAX_CHAIN_BLOCKS)
    expect(chain[0]?.hash).toBe('b5')
    const { changes } = applyBatch(chain, { rollback: rollback('below', 0), blocks: [] })
    expect(toChanges(changes)).toHaveLength(1 + 2 * MAX_CHAIN_BLOCKS)
  })
})

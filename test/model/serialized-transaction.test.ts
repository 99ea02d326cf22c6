import { describe, expect, it } from 'vitest'
import { serializeTransaction, toTransaction as fromSerialized } from '../../src/model/serialized-transaction.js'
import { version0Vectors, version1Vectors } from './consensus-vectors.js'
import { toTransaction } from './vectors.js'

describe('a transaction as JSON', () => {
  it.each([...version0Vectors(), ...version1Vectors()])('round-trips: $name', ({ tx, expected }) => {
    const transaction = toTransaction(tx)
    const serialized = serializeTransaction(transaction)
    const parsed = JSON.parse(JSON.stringify(serialized)) as typeof serialized
    expect(serialized.id).toBe(expected.id)
    expect(fromSerialized(parsed)).toEqual(transaction)
  })

  it('keeps every digit of a u64', () => {
    const [vector] = version0Vectors()
    if (vector === undefined) throw new Error('no vector')
    const transaction = { ...toTransaction(vector.tx), lockTime: 2n ** 64n - 1n }
    expect(serializeTransaction(transaction).lockTime).toBe('18446744073709551615')
    expect(fromSerialized(transaction)).toEqual(transaction)
  })
})

import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/model/hex.js'
import { TransactionIds } from '../../src/model/transaction-ids.js'

const [A, B, C] = ['0a'.repeat(32), 'f1'.repeat(32), `${'f1'.repeat(31)}f2`] as const

describe.each<[string, (ids: readonly string[]) => TransactionIds]>([
  ['bytes', (ids) => new TransactionIds(fromHex(ids.join('')))],
  ['strings', (ids) => new TransactionIds(ids)],
])('transaction ids of %s', (_, listOf) => {
  it('are read in order', () => {
    const ids = listOf([A, B, A])
    expect([ids.length, ids.at(0), ids.at(1), ids.at(2)]).toEqual([3, A, B, A])
    expect(ids.toStrings()).toEqual([A, B, A])
  })

  it('include an id that equals in all bytes', () => {
    const ids = listOf([A, B])
    expect([A, B, C].map((id) => ids.includes(id))).toEqual([true, true, false])
  })

  it('include nothing that is no id', () => {
    const ids = listOf([B])
    const others = ['', B.toUpperCase(), B.slice(2), `${B}00`, 'z'.repeat(64)]
    expect(others.filter((id) => ids.includes(id))).toEqual([])
  })

  it('may be none', () => {
    const ids = listOf([])
    expect([ids.length, ids.toStrings(), ids.includes(A)]).toEqual([0, [], false])
  })
})

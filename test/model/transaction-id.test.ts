import { describe, expect, it } from 'vitest'
import { transactionHash, transactionId } from '../../src/model/transaction-id.js'
import { ruleEntries, version0Vectors, version1Vectors } from './consensus-vectors.js'
import { readFixture, toTransaction } from './vectors.js'

describe('the id of a transaction', () => {
  it.each(version0Vectors())('equals the SDK’s for $name', ({ tx, expected }) => {
    expect(transactionId(toTransaction(tx))).toBe(expected.id)
  })

  it.each(version1Vectors())('equals the network’s for the version-1 vector "$name"', ({ tx, expected }) => {
    expect(transactionId(toTransaction(tx))).toBe(expected.id)
  })

  it.each(ruleEntries().filter((entry) => entry.submit !== undefined && entry.computedId !== undefined))(
    'equals the node’s in $name',
    ({ submit, computedId }) => {
      if (submit === undefined) throw new Error('no transaction')
      expect(transactionId(toTransaction(submit))).toBe(computedId)
    },
  )

  it('is unaffected by signing', () => {
    for (const { tx, expected } of version0Vectors()) {
      const unsigned = { ...tx, inputs: tx.inputs.map((input) => ({ ...input, signatureScript: '', sigOpCount: 0 })) }
      expect(transactionId(toTransaction(unsigned))).toBe(expected.id)
    }
  })
})

describe('the hash of a transaction', () => {
  it.each(version0Vectors())('equals the SDK’s for $name, without mass', ({ tx, expected }) => {
    expect(transactionHash({ ...toTransaction(tx), mass: 0n })).toBe(expected.hashWithoutMass)
  })

  it.each(version1Vectors())('equals the network’s for the version-1 vector "$name"', ({ tx, expected }) => {
    expect(transactionHash(toTransaction(tx))).toBe(expected.hash)
  })

  it.each(['mass-field-zero', 'mass-field-wrong', 'mass-field-huge'])(
    'commits to the mass computed by the node: %s',
    (name) => {
      const { entries } = readFixture<{
        entries: { name: string; mass: string; hash: string; hashWithoutMass: string }[]
      }>('node-2.1.0/rules.json')
      const result = entries.find((entry) => entry.name === `${name}-result`)
      const sent = ruleEntries().find((entry) => entry.name === name)?.submit
      if (result === undefined || sent === undefined) throw new Error('no such entry')
      const transaction = toTransaction(sent)
      expect(transactionHash({ ...transaction, mass: BigInt(result.mass) })).toBe(result.hash)
      expect(transactionHash({ ...transaction, mass: 0n })).toBe(result.hashWithoutMass)
    },
  )
})

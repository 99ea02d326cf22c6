import { describe, expect, it } from 'vitest'
import {
  MASS_LIMITS,
  computeMass,
  minimumFee,
  storageMass,
  transactionSize,
  transientMass,
  storageMassOf,
  storageTotals,
  type StoredOutput,
} from '../../src/model/mass.js'
import { COINBASE_SUBNETWORK } from '../../src/model/transaction.js'
import { ruleEntries, version0Vectors, version1Vectors } from './consensus-vectors.js'
import { readFixture, toSpent, toTransaction } from './vectors.js'

describe('masses and minimum fees', () => {
  it.each(version0Vectors())('match the vector $name', ({ tx, utxos, masses }) => {
    const transaction = toTransaction(tx)
    expect(transactionSize(transaction)).toBe(masses.estimatedSerializedSize)
    expect(computeMass(transaction)).toBe(BigInt(masses.computeMass))
    expect(transientMass(transaction)).toBe(BigInt(masses.transientMass))
    expect(storageMass(transaction, utxos.map(toSpent))).toBe(BigInt(masses.storageMassKip9))
    expect(minimumFee(transaction)).toBe(BigInt(masses.minRelayFee2x))
  })

  it.each(version1Vectors())('match the version-1 vector "$name"', ({ tx, utxos, masses }) => {
    const transaction = toTransaction(tx)
    expect(transactionSize(transaction)).toBe(masses.estimatedSerializedSize)
    expect(computeMass(transaction)).toBe(BigInt(masses.computeMass))
    expect(transientMass(transaction)).toBe(BigInt(masses.transientMass))
    expect(storageMass(transaction, utxos.map(toSpent))).toBe(BigInt(masses.storageMass))
    expect(minimumFee(transaction)).toBe(BigInt(masses.minRelayFee))
  })

  it('are 0 for a coinbase transaction', () => {
    const [vector] = version0Vectors()
    if (vector === undefined) throw new Error('no vector')
    const coinbase = { ...toTransaction(vector.tx), inputs: [], subnetworkId: COINBASE_SUBNETWORK }
    expect([computeMass(coinbase), transientMass(coinbase), storageMass(coinbase, [])]).toEqual([0n, 0n, 0n])
  })
})

describe('compute mass', () => {
  // A node rejects a user's transaction on the coinbase subnetwork before computing its mass.
  const computed = ruleEntries().filter(({ name }) => name !== 'coinbase-subnetwork')

  it.each(computed.filter(({ submit, computeMass: mass }) => submit !== undefined && mass !== undefined))(
    'matches the fixture $name',
    ({ submit, computeMass: mass }) => {
      if (submit === undefined) throw new Error('no transaction')
      expect(computeMass(toTransaction(submit))).toBe(BigInt(mass ?? -1))
    },
  )
})

describe('the minimum fee', () => {
  const refused = ruleEntries().filter(
    ({ submit, error }) => submit !== undefined && (error?.includes('under the required amount of') ?? false),
  )

  it.each(refused)('is the amount that a real node requires in $name', ({ submit, error }) => {
    if (submit === undefined) throw new Error('no transaction')
    const required = /required amount of (\d+)/.exec(error ?? '')?.[1]
    expect(String(minimumFee(toTransaction(submit)))).toBe(required)
  })

  it.each(ruleEntries().filter(({ name }) => /^fee(-payload.*)?-exact$/.test(name)))(
    'is sufficient to the sompi: $name',
    ({ submit, spent }) => {
      if (submit === undefined || spent === undefined) throw new Error('no transaction')
      const transaction = toTransaction(submit)
      const paid =
        spent.map(toSpent).reduce((sum, { amount }) => sum + amount, 0n) -
        transaction.outputs.reduce((sum, { value }) => sum + value, 0n)
      expect(paid).toBeGreaterThanOrEqual(minimumFee(transaction))
    },
  )
})

describe('storage mass', () => {
  const script = (length: number): { version: number; script: string } => ({ version: 0, script: 'ab'.repeat(length) })
  interface Case {
    readonly name: string
    readonly inputs: readonly { amount: string; scriptLen: number }[]
    readonly outputs: readonly { amount: string; scriptLen: number; cov?: boolean }[]
    readonly kip9: string
  }

  it.each(readFixture<{ cases: Case[] }>('consensus/storage-mass.json').cases)(
    'follows KIP-9: $name',
    ({ inputs, outputs, kip9 }) => {
      const spent = inputs.map(({ amount, scriptLen }) => ({
        amount: BigInt(amount),
        scriptPublicKey: script(scriptLen),
      }))
      const created = outputs.map(({ amount, scriptLen, cov }) => ({
        amount: BigInt(amount),
        scriptPublicKey: script(scriptLen),
        covenantId: cov === true ? '00'.repeat(32) : undefined,
      }))
      expect(storageMassOf(storageTotals(created), storageTotals(spent))).toBe(BigInt(kip9))
    },
  )

  it('equals the node’s for all shapes of inputs and outputs', () => {
    interface Rows {
      readonly rows: readonly { ins: readonly string[]; outs: readonly string[]; node: string }[]
    }
    const entries = readFixture<{ entries: ({ name: string } & Rows)[] }>('node-2.1.0/rules.json').entries
    const rows = entries.find(({ name }) => name === 'storage-mass-shapes')?.rows ?? []
    expect(rows).toHaveLength(8)
    const toStored = (amount: string): StoredOutput => ({
      amount: BigInt(amount),
      scriptPublicKey: script(34),
    })
    for (const { ins, outs, node } of rows)
      expect(storageMassOf(storageTotals(outs.map(toStored)), storageTotals(ins.map(toStored)))).toBe(BigInt(node))
  })

  it('reaches the block limit at 1,999,997 sompi next to change from 100 KAS, and exceeds it one sompi below', () => {
    const massOf = (name: string): bigint => {
      const entry = ruleEntries().find((candidate) => candidate.name === name)
      if (entry?.submit === undefined || entry.spent === undefined) throw new Error('no such entry')
      return storageMass(toTransaction(entry.submit), entry.spent.map(toSpent))
    }
    expect(massOf('storage-1999997')).toBe(MASS_LIMITS.storage)
    expect(massOf('storage-1999996')).toBeGreaterThan(MASS_LIMITS.storage)
  })
})

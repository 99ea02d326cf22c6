import { describe, expect, it } from 'vitest'
import { verifyTransaction } from '../../../src/operations/transactions/verify-transaction.js'
import { storageMassOf, storageTotals } from '../../../src/model/mass.js'
import { PAY_TO_PUBLIC_KEY } from '../../relayable-transaction.js'

/** Refusals of what no program of a payer writes; payments themselves are tested with x402. */

const OPTIONS = { network: 'simnet' } as const

const input = (script: string, amount: string, index = 0) => ({
  transactionId: 'ab'.repeat(32),
  index,
  sequence: '0',
  sigOpCount: 1,
  signatureScript: `41${'cd'.repeat(65)}`,
  utxo: { amount, scriptPublicKey: `0000${script}` },
})

const output = (value: string) => ({ value, scriptPublicKey: `0000${PAY_TO_PUBLIC_KEY}` })

function nested(depth: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < depth; level++) value = { inputs: value }
  return value
}

describe('verifyTransaction', () => {
  it('refuses a record that is nested deeper than it can be read, and text of it', () => {
    expect(verifyTransaction(nested(100_000), OPTIONS)).toMatchObject({ isValid: false, reason: 'malformed' })
    const text = '['.repeat(50_000) + ']'.repeat(50_000)
    expect(verifyTransaction(text, { ...OPTIONS, maxBytes: 200_000 })).toMatchObject({ reason: 'malformed' })
  })

  it('refuses a record whose fields cannot be read', () => {
    const record = {
      version: 0,
      get inputs(): never {
        throw new RangeError('no inputs')
      },
    }
    expect(verifyTransaction(record, OPTIONS)).toMatchObject({ isValid: false, reason: 'malformed' })
  })

  it('reads each field once', () => {
    let reads = 0
    const record = {
      version: 0,
      outputs: [output('1')],
      get inputs() {
        return reads++ === 0 ? [input(PAY_TO_PUBLIC_KEY, '1')] : nested(1)
      },
    }
    expect(verifyTransaction(record, OPTIONS)).toMatchObject({ isValid: false, reason: 'rules' })
    expect(reads).toBe(1)
  })

  it('refuses an input that holds less than a sompi for each unit of its script', () => {
    const long = `4d0001${'00'.repeat(256)}`
    const transaction = { version: 0, inputs: [input(long, '1')], outputs: [output('1'), output('2')] }
    expect(verifyTransaction(transaction, OPTIONS)).toMatchObject({ isValid: false, reason: 'rules' })
  })

  it('counts a named output that a covenant binds with the units of its covenant id', () => {
    const scriptPublicKey = { version: 0, script: PAY_TO_PUBLIC_KEY }
    const covenantId = 'ef'.repeat(32)
    const created = [40_000_000n, 50_000_000n].map((amount) => ({ amount, scriptPublicKey }))
    const spent = [{ amount: 100_000_000n, scriptPublicKey, covenantId }]
    const bound = input(PAY_TO_PUBLIC_KEY, '100000000')
    const transaction = {
      version: 0,
      inputs: [{ ...bound, utxo: { ...bound.utxo, covenantId } }],
      outputs: created.map(({ amount }) => output(String(amount))),
      storageMass: String(storageMassOf(storageTotals(created), storageTotals(spent))),
    }
    expect(verifyTransaction(transaction, OPTIONS)).toMatchObject({ reason: 'signature' }) // all before is right
    expect(verifyTransaction(transaction, { ...OPTIONS, spent })).toMatchObject({ reason: 'signature' })
    const unbound = [{ amount: 100_000_000n, scriptPublicKey }]
    expect(verifyTransaction(transaction, { ...OPTIONS, spent: unbound })).toMatchObject({ reason: 'rules' })
  })
})

import { expect, it } from 'vitest'
import { blake2b256 } from '../../src/model/hashing.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import { createTransaction } from '../../src/model/transaction.js'
import { runInput, type ScriptRun } from '../../src/script/run-input.js'
import { toSpendingContext } from '../../src/script/spending.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'

/** Scripts that would use up memory or time. */

const OUTPOINT = { transactionId: '0'.repeat(64), index: 0 }

/** Runs a redeem script with the largest budget. */
function run(redeemScript: string): ScriptRun {
  const script = `aa20${toHex(blake2b256(fromHex(redeemScript)))}87`
  const length = (redeemScript.length / 2).toString(16).padStart(8, '0')
  const signatureScript = `4e${length.match(/../g)!.reverse().join('')}${redeemScript}`
  const input = { previousOutpoint: OUTPOINT, signatureScript, sequence: 0n, sigOpCount: 0, computeBudget: 0xffff }
  const transaction = createTransaction({ version: 1, inputs: [input], outputs: [] })
  const utxo = fixtures.utxo({ outpoint: OUTPOINT, amount: 1n, scriptPublicKey: { version: 0, script } })
  return runInput(toSpendingContext(transaction, [utxo]), 0)
}

const DUP = '76'
const DUP_CAT = '767e'

it('stops a script whose element doubles at the size of an element', () => {
  expect(run(`0102${DUP_CAT.repeat(30)}`).failure?.reason).toBe('element size 1048576 exceeds max allowed size 1000000')
})

it('stops a script that copies large elements at 244 of them, and at the units of the largest budget', () => {
  const large = `0102${DUP_CAT.repeat(19)}`
  expect(run(large + DUP.repeat(300)).failure?.reason).toBe('combined stack size 245 > max allowed 244')
  const { failure, units } = run(large + `${DUP}75`.repeat(2_000))
  expect(failure?.reason).toMatch(
    /^script units exceeded the amount committed in the input: used=\d+, limit=655359999$/,
  )
  expect(units).toBeLessThan(656_000_000)
})

it('ends a script of the largest size', () => {
  expect(run('61'.repeat(249_000) + '51')).toEqual({ units: expect.any(Number) as number })
})

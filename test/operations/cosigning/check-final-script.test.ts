import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readBundle } from '../../../src/model/pskb/read-bundle.js'
import { psktTransaction } from '../../../src/model/pskb/records.js'
import { sighashParts, type SpentOutput } from '../../../src/model/sighash.js'
import { isFinalScript } from '../../../src/operations/cosigning/check-final-script.js'

/** Every input of a recorded bundle, which kaspad 2.1.0 has accepted, with a signature script in place of its own. */
function check(name: string, change: (script: string) => string = (script) => script): readonly boolean[] {
  const text = readFileSync(resolve(import.meta.dirname, `../../fixtures/cosigning/${name}.pskb`), 'utf8').trim()
  return readBundle(text).flatMap((pskt) => {
    const original = psktTransaction(pskt)
    const inputs = original.inputs.map((input) => ({ ...input, signatureScript: change(input.signatureScript) }))
    const transaction = { ...original, inputs }
    const spent = pskt.inputs.map(({ utxoEntry }): SpentOutput => {
      if (utxoEntry === null) throw new Error('The fixture names what it spends')
      return utxoEntry
    })
    return inputs.map((_, index) => isFinalScript(transaction, index, spent, sighashParts(transaction)))
  })
}

/** Hex digits of a signature with its push. */
const SIGNATURE = 132

describe('the final script of several signers', () => {
  it.each(['2of3-final', 'two-inputs-final', 'chain-of-two-final', 'sequence-null-final'])('%s is final', (name) => {
    expect([...new Set(check(name))]).toEqual([true])
  })

  it.each<[what: string, change: (script: string) => string]>([
    ['none', () => ''],
    ['one signature less', (script) => script.slice(SIGNATURE)],
    ['one signature twice', (script) => script.slice(0, SIGNATURE) + script],
    [
      'another order',
      (script) => script.slice(SIGNATURE, 2 * SIGNATURE) + script.slice(0, SIGNATURE) + script.slice(2 * SIGNATURE),
    ],
    ['another signature', (script) => `${script.slice(0, 40)}${script[40] === '0' ? '1' : '0'}${script.slice(41)}`],
    ['another type of signature', (script) => `${script.slice(0, SIGNATURE - 2)}02${script.slice(SIGNATURE)}`],
    ['a bit of the redeem script', (script) => `${script.slice(0, -4)}52ae`],
    ['no redeem script', (script) => script.slice(0, 2 * SIGNATURE)],
    [
      'a longer push of it',
      (script) =>
        `${script.slice(0, 2 * SIGNATURE)}4d${script.slice(2 * SIGNATURE + 2, 2 * SIGNATURE + 4)}00${script.slice(2 * SIGNATURE + 4)}`,
    ],
    ['more behind it', (script) => `${script}51`],
  ])('with %s is not', (_, change) => {
    expect([...new Set(check('2of3-final', change))]).toEqual([false])
  })
})

import { describe, expect, it } from 'vitest'
import { checkUtxoOptions } from '../../../../src/streams/utxos/view/state.js'

describe('the options of a UTXO tracker', () => {
  it.each([
    [{ mempoolInterval: -5 }, '"mempoolInterval" is -5: give a number from 0'],
    [{ mempoolInterval: NaN }, '"mempoolInterval" is NaN: give a number from 0'],
    [{ coinbaseMaturity: -1n }, '"coinbaseMaturity" is -1: give a bigint from 0'],
    [{ coinbaseMaturity: 100 }, '"coinbaseMaturity" is 100: give a bigint from 0'],
  ])('rejects the options %o', (options: object, message) => {
    expect(() => checkUtxoOptions(options)).toThrow(message)
  })
})

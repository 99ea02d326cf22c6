import { expect, it } from 'vitest'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { withoutForeignEntries } from '../../../src/streams/session/requested-entries.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { ALICE } from '../utxos/utxo-fixtures.js'

const entryOf = (index: number, amount: bigint): UtxoEntry =>
  fixtures.utxo({ address: ALICE, outpoint: { transactionId: 'ab'.repeat(32), index }, amount })

/** The indexes of the entries that stay, and why the others do not. */
function split(entries: readonly UtxoEntry[]) {
  const reasons: string[] = []
  const response = withoutForeignEntries({ addresses: [ALICE] }, { entries }, (invalid) =>
    reasons.push(...invalid.map(({ reason }) => reason)),
  )
  return { valid: response.entries.map(({ outpoint }) => outpoint.index), reasons }
}

it('F1 leaves out an entry of an output that no transaction has', () => {
  const entries = [entryOf(2 ** 31 - 1, 5n), entryOf(2 ** 31, 5n)]
  expect(split(entries)).toEqual({ valid: [2 ** 31 - 1], reasons: ['script'] })
})

it('F1 leaves out entries that exceed the supply with those before', () => {
  const entries = [entryOf(0, MAX_SOMPI - 5n), entryOf(1, 6n), entryOf(2, 5n)]
  expect(split(entries)).toEqual({ valid: [0, 2], reasons: ['supply'] })
})

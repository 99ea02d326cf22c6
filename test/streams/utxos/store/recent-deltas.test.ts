import { expect, it } from 'vitest'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { createOutpointHash } from '../../../../src/streams/utxos/store/outpoint-hash.js'
import { isOutOfOrder } from '../../../../src/streams/utxos/store/delta.js'
import { utxo } from '../utxo-fixtures.js'

const scored = (blockDaaScore: bigint): UtxoEntry => utxo(1, { blockDaaScore })
const added = { removed: [], added: [scored(0n)] }
const [first, second] = [0n, 1n].map((score) => ({ removed: [scored(score)], added: [scored(score + 1n)] }))

it.each([
  ['in order', [added, first!, second!], false],
  ['in the other order', [added, second!, first!], true],
  ['in the other order, of an earlier UTXO', [second!, first!], true],
])('two changes of the score of one UTXO, %s', (_, deltas, expected) => {
  expect(isOutOfOrder(deltas, createOutpointHash(1))).toBe(expected)
})

import { expect, it } from 'vitest'
import { createAmountClaims, type ReportSource } from '../../../../src/streams/utxos/store/amount-claims.js'
import { createOutpointHash } from '../../../../src/streams/utxos/store/outpoint-hash.js'
import { utxo } from '../utxo-fixtures.js'

const from = (host: string, kind: ReportSource['kind'] = 'snapshot'): ReportSource => ({
  kind,
  host,
  previousHost: 'first.example',
})

it('an outpoint with two amounts is usable once a snapshot of a third host reports one of them', () => {
  const claims = createAmountClaims(createOutpointHash(1))
  const accepts = (source: ReportSource, amount: bigint, before?: bigint): boolean =>
    claims.check(source).accepts(utxo(1, { amount }), before === undefined ? undefined : utxo(1, { amount: before }))
  expect(accepts(from('second.example'), 7n, 5n)).toBe(false)
  expect(accepts(from('first.example'), 5n)).toBe(false)
  expect(accepts(from('second.example'), 7n)).toBe(false)
  expect(accepts(from('liar.example'), 9n)).toBe(false)
  expect(accepts(from('liar.example'), 5n)).toBe(false)
  expect(accepts(from('third.example', 'delta'), 5n)).toBe(false)
  expect(accepts(from('third.example'), 5n)).toBe(true)
  expect(accepts(from('second.example'), 5n, 5n)).toBe(true)
})

it('remembers the amounts of at least the last 10,000 removed entries', () => {
  const claims = createAmountClaims(createOutpointHash(1))
  const removed = Array.from({ length: 10_000 }, (_, n) => utxo(n + 1))
  for (const entry of removed) claims.remember([entry], 'first.example')
  const check = claims.check(from('first.example', 'delta'))
  expect(removed.filter((entry) => check.accepts({ ...entry, amount: 1n }, undefined))).toEqual([])
})

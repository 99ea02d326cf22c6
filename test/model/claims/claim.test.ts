import { expect, it } from 'vitest'
import { MAX_OUTPOINTS, parseClaim, type Claim } from '../../../src/model/claims/claim.js'
import { packOutpoints } from '../../../src/model/claims/packed-outpoints.js'

const hex = 'ab'.repeat(32)
const outpoint = { transactionId: hex, index: 0 }
const output = { index: 1, value: 5n, scriptPublicKey: { version: 0, script: '20ab' } }
const claim: Claim = {
  version: 1,
  id: hex,
  outpoints: packOutpoints([outpoint]),
  kind: 'payment',
  state: 'planned',
  owner: 'tab',
  at: 1_000,
  change: [output],
}

it.each<[string, object]>([
  ['a payment', {}],
  ['a payout', { kind: 'payout' }],
  ['a payment that a node may have', { state: 'sent' }],
  ['one without change', { change: [] }],
  ['a replacement', { replaces: 'cd'.repeat(32) }],
  ['the greatest index', { outpoints: packOutpoints([{ ...outpoint, index: 4_294_967_295 }]) }],
  ['an owner of 400 characters', { owner: 'a'.repeat(400) }],
])('parses a record: %s', (_, change) => {
  expect(parseClaim(structuredClone({ ...claim, ...change }))).toEqual({ ...claim, ...change })
})

it('parses a record of the greatest size', () => {
  const outpoints = new Uint8Array(36 * MAX_OUTPOINTS)
  expect(parseClaim({ ...claim, outpoints })?.outpoints).toBe(outpoints)
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['null', null],
  ['text', 'claim'],
  ['an id that is none', { ...claim, id: hex.toUpperCase() }],
  ['an id of another type', { ...claim, id: 1 }],
  ['no outpoints', { ...claim, outpoints: new Uint8Array(0) }],
  ['outpoints that are not packed', { ...claim, outpoints: [outpoint] }],
  ['an outpoint without index', { ...claim, outpoints: new Uint8Array(36 + 32) }],
  ['too many outpoints', { ...claim, outpoints: new Uint8Array(36 * (MAX_OUTPOINTS + 1)) }],
  ['no owner', { ...claim, owner: '' }],
  ['a long owner', { ...claim, owner: 'a'.repeat(401) }],
  ['a time that is none', { ...claim, at: Number.NaN }],
  ['an endless time', { ...claim, at: Infinity }],
  ['another kind', { ...claim, kind: 'gift' }],
  ['another state', { ...claim, state: 'signed' }],
  ['an older version', { ...claim, version: 0 }],
  ['a version of another type', { ...claim, version: '2' }],
])('refuses a record that another script has damaged: %s', (_, record) => {
  expect(parseClaim(record)).toBeUndefined()
})

it('replaces nothing where what it replaces is no id', () => {
  expect(parseClaim({ ...claim, replaces: 1 })).toEqual(claim)
})

it('respects the outpoints of a newer version, as those of a payment that a node may have', () => {
  const newer = { ...claim, version: 2, kind: 'gift', state: 'signed', change: 'packed', more: true }
  expect(parseClaim(newer)).toEqual({ ...claim, state: 'sent', change: [] })
})

it.each<[string, unknown]>([
  ['no list', { ...output }],
  ['a negative index', [{ ...output, index: -1 }]],
  ['an index that makes a list of a million', [{ ...output, index: 1_000_000 }]],
  ['a value that is no bigint', [{ ...output, value: 5 }]],
  ['a negative value', [{ ...output, value: -1n }]],
  ['half a byte', [{ ...output, scriptPublicKey: { version: 0, script: '20a' } }]],
  ['no script', [{ ...output, scriptPublicKey: null }]],
  ['too many', Array.from({ length: 1_001 }, () => output)],
])('shows no change where it is damaged, and respects the outpoints: %s', (_, change) => {
  expect(parseClaim({ ...claim, change })).toEqual({ ...claim, change: [] })
})

import { describe, expect, it } from 'vitest'
import type { RejectReason } from '../../../src/errors/rpc-error.js'
import { rejectReasonOf } from '../../../src/operations/transactions/submit/rejection.js'
import { ruleEntries } from '../../model/consensus-vectors.js'
import { readFixture } from '../../model/vectors.js'

interface SubmitError {
  readonly code: string
  readonly versions: string
  readonly inner: string
}

/** What each kind of refusal of the fixtures means; whatever is not named here is `other`. */
const MEANINGS: Readonly<Record<string, RejectReason>> = {
  orphan: 'orphan',
  'already-in-mempool': 'duplicate',
  'already-accepted': 'duplicate',
  'orphan-duplicate': 'duplicate',
  'double-spend-in-mempool': 'double-spend',
  'orphan-double-spend': 'double-spend',
  'rbf-too-many': 'double-spend',
  'immature-coinbase': 'immature-coinbase',
  'fee-too-low': 'fee-too-low',
  'rbf-feerate': 'fee-too-low',
  'mempool-full': 'fee-too-low',
  mass: 'mass-exceeded',
  'mass-compute': 'mass-exceeded',
  'mass-transient': 'mass-exceeded',
  'mass-storage': 'mass-exceeded',
  'mass-incomputable': 'mass-exceeded',
  'invalid-signature': 'invalid-signature',
  'empty-signature-script': 'invalid-signature',
  'invalid-sighash-type': 'invalid-signature',
  'signature-length': 'invalid-signature',
  'signature-malformed': 'invalid-signature',
  'sig-op-count': 'invalid-signature',
  'script-not-push-only': 'invalid-signature',
  'script-extra-items': 'invalid-signature',
  'script-truncated': 'invalid-signature',
  'script-stack-underflow': 'invalid-signature',
  'multisig-order': 'invalid-signature',
}

const { submit, submitWithoutWrapper } = readFixture<{
  submit: SubmitError[]
  submitWithoutWrapper: { text: string }[]
}>('consensus/errors.json')

describe('the reason of a refusal', () => {
  it.each(submit)('is read from the words of nodes $versions: $inner', ({ code, inner }) => {
    const words = `Rejected transaction {txid}: ${inner}`.replaceAll('{txid}', 'ab'.repeat(32)).replace(/\{\w+\}/g, '7')
    expect(rejectReasonOf(words)).toBe(MEANINGS[code] ?? 'other')
  })

  it.each(submitWithoutWrapper)('is "other" for what the node could not read: $text', ({ text }) => {
    expect(rejectReasonOf(text)).toBe('other')
  })

  it('is found in everything that a real node of 2.1.0 answered', () => {
    const counts = new Map<RejectReason, number>()
    for (const { submit: sent, error } of ruleEntries()) {
      if (sent === undefined || error === undefined) continue
      const reason = rejectReasonOf(error)
      counts.set(reason, (counts.get(reason) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual([
      'double-spend',
      'duplicate',
      'fee-too-low',
      'immature-coinbase',
      'invalid-signature',
      'mass-exceeded',
      'orphan',
      'other',
    ])
  })

  it('survives the line break in a node’s words', () => {
    const words =
      'one of the transaction inputs spends an immature UTXO: transaction input #0 tried\n    while the merging block'
    expect(rejectReasonOf(words)).toBe('immature-coinbase')
  })
})

import { describe, expect, it } from 'vitest'
import type { RejectReason } from '../../src/errors/rpc-error.js'
import { parseReply, type ReplyMeaning } from '../../src/model/submission-reply.js'
import { ruleEntries } from './consensus-vectors.js'
import { readFixture } from './vectors.js'

interface SubmitError {
  readonly code: string
  readonly versions: string
  readonly inner: string
}

/** The reason of each error code of the fixtures; `other` by default. */
const EXPECTED_REASONS: Readonly<Record<string, RejectReason>> = {
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

/** What each error code of the fixtures shows; `refused` by default. */
const EXPECTED_MEANINGS: Readonly<Record<string, ReplyMeaning>> = {
  'already-in-mempool': 'in-mempool',
  'already-accepted': 'was-in-block',
  'rbf-no-double-spend': 'no-target',
}

const { submit, submitWithoutWrapper } = readFixture<{
  submit: SubmitError[]
  submitWithoutWrapper: { text: string }[]
}>('consensus/errors.json')

describe('parseReply', () => {
  it.each(submit)('recognizes the message of nodes $versions: $inner', ({ code, inner }) => {
    const message = `Rejected transaction {txid}: ${inner}`
      .replaceAll('{txid}', 'ab'.repeat(32))
      .replace(/\{\w+\}/g, '7')
    const expected = { reason: EXPECTED_REASONS[code] ?? 'other', meaning: EXPECTED_MEANINGS[code] ?? 'refused' }
    expect(parseReply(message)).toEqual(expected)
    expect(parseReply(`RPC Server (remote error) -> ${message}`)).toEqual(expected)
  })

  it.each(submitWithoutWrapper)('returns "other" for a decoding error of the node: $text', ({ text }) => {
    expect(parseReply(text)).toEqual({ reason: 'other', meaning: 'refused' })
  })

  it('finds every reason in the responses of a real node 2.1.0', () => {
    const counts = new Map<RejectReason, number>()
    for (const { submit: sent, error } of ruleEntries()) {
      if (sent === undefined || error === undefined) continue
      const { reason } = parseReply(error)
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

  it('accepts a line break in the message', () => {
    const message =
      'one of the transaction inputs spends an immature UTXO: transaction input #0 tried\n    while the merging block'
    expect(parseReply(message).reason).toBe('immature-coinbase')
  })
})

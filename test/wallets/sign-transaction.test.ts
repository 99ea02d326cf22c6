import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/model/hex.js'
import { commitAmounts } from '../../src/model/amount-commitment.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { sighash, sighashParts, type SighashType } from '../../src/model/sighash.js'
import { fromSafeTransaction, spentBy, type SafeTransaction } from '../../src/testing/wallets/safe-transaction.js'
import { PUBLIC_KEY, SAFE_TRANSACTION, WALLETS, createHarness, failure, useFakeTime, outcome } from './harness.js'

useFakeTime()

const KINDS = Object.keys(WALLETS) as (keyof typeof WALLETS)[]

async function createConnected(kind: keyof typeof WALLETS) {
  const { page, openSession } = createHarness()
  const { id, create } = WALLETS[kind]
  const wallet = create({ page })
  wallet.install()
  const session = openSession()
  await outcome(session.connect({ id, name: kind, icon: null, rdns: null }))
  return { wallet, session }
}

/** The sighash type of each input's signature; null if unsigned, NaN if invalid. */
function signaturesOf(txJson: string): (number | null)[] {
  const safe = JSON.parse(txJson) as SafeTransaction
  const transaction = fromSafeTransaction(safe)
  return safe.inputs.map(({ signatureScript = '' }, index) => {
    if (signatureScript === '') return null
    const type = parseInt(signatureScript.slice(-2), 16) as SighashType
    const hash = sighash(transaction, index, spentBy(safe), type, sighashParts(transaction))
    const isValid = schnorr.verify(fromHex(signatureScript.slice(2, 130)), hash, fromHex(PUBLIC_KEY.slice(2)))
    return isValid ? type : NaN
  })
}

describe.each(KINDS)('a transaction signed by %s', (kind) => {
  it('has every input signed with All and is otherwise unchanged', async () => {
    const { session } = await createConnected(kind)
    const signed = await outcome(session.signPskt(SAFE_TRANSACTION))
    expect(signaturesOf(signed)).toEqual([1, 1])
    const { inputs: _, ...others } = JSON.parse(signed) as SafeTransaction
    expect(JSON.parse(SAFE_TRANSACTION)).toMatchObject(others)
  })

  it('has the requested inputs signed with the requested types', async () => {
    const { session } = await createConnected(kind)
    const signing = session.signPskt(SAFE_TRANSACTION, { signInputs: [{ index: 1, sighashType: 130 }] })
    if (kind !== 'walletB') {
      expect(signaturesOf(await outcome(signing))).toEqual([null, 130])
      return
    }
    // Kastle signs all of the account's inputs again if any was not requested
    const error = await failure(signing)
    expect(error).toMatchObject({ code: 'unexpected-response', details: 'Input 0 was signed without being requested' })
    expect(signaturesOf(error.cause as string)).toEqual([1, 1])
  })

  it('has the requested types if every input was requested', async () => {
    const { session } = await createConnected(kind)
    const signInputs = [{ index: 0, sighashType: 129 }, { index: 1 }]
    expect(signaturesOf(await outcome(session.signPskt(SAFE_TRANSACTION, { signInputs })))).toEqual([129, 1])
  })

  it('has a requested script input signed', async () => {
    const { session } = await createConnected(kind)
    const transaction = JSON.parse(SAFE_TRANSACTION) as SafeTransaction
    const script = { amount: '300000000', scriptPublicKey: `0000aa20${'33'.repeat(32)}87` }
    const inputs = transaction.inputs.slice(0, 1).map((input) => ({ ...input, utxo: script }))
    const txJson = JSON.stringify({ ...transaction, inputs })
    expect(signaturesOf(await outcome(session.signPskt(txJson, { signInputs: [{ index: 0 }] })))).toEqual([1])
  })

  it('keeps sequences of 64 bits that commit to the amounts', async () => {
    const { session } = await createConnected(kind)
    const transaction = JSON.parse(SAFE_TRANSACTION) as SafeTransaction
    const sequences = commitAmounts(
      transaction.inputs.map(({ transactionId, index, utxo }) => ({
        outpoint: { transactionId, index },
        amount: BigInt(utxo.amount),
      })),
    ).map(String)
    const inputs = transaction.inputs.map((input, at) => ({ ...input, sequence: sequences[at] ?? '' }))
    const unsigned = { ...transaction, inputs }
    const id = transactionId(fromSafeTransaction(unsigned))
    const signed = await outcome(session.signPskt(JSON.stringify({ ...unsigned, id })))
    expect(signaturesOf(signed)).toEqual([1, 1])
    const result = JSON.parse(signed) as SafeTransaction
    expect(result.inputs.map(({ sequence }) => sequence)).toEqual(sequences)
    expect(transactionId(fromSafeTransaction(result))).toBe(id)
    const rounded = JSON.stringify({ ...unsigned, inputs: inputs.map((input) => ({ ...input, sequence: 2 ** 63 })) })
    expect(await failure(session.signPskt(rounded))).toMatchObject({ code: 'invalid-argument', argument: 'txJson' })
  })

  it('is not sent', async () => {
    const { session, wallet } = await createConnected(kind)
    await outcome(session.signPskt(SAFE_TRANSACTION))
    expect(wallet.calls.filter(({ method }) => /send|broadcast|push/i.test(method))).toEqual([])
  })
})

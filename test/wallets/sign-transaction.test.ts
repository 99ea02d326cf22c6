import { schnorr } from '@noble/curves/secp256k1.js'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../../src/model/hex.js'
import { sighash, sighashParts, type SighashType } from '../../src/model/sighash.js'
import { fromSafeTransaction, spentBy, type SafeTransaction } from '../../src/testing/wallets/safe-transaction.js'
import { PUBLIC_KEY, SAFE_TRANSACTION, WALLETS, createScene, inFakeTime, outcome } from './scene.js'

inFakeTime()

const KINDS = Object.keys(WALLETS) as (keyof typeof WALLETS)[]

async function connected(kind: keyof typeof WALLETS) {
  const { page, visit } = createScene()
  const { id, create } = WALLETS[kind]
  const wallet = create({ page })
  wallet.install()
  const session = visit()
  await outcome(session.connect({ id, name: kind, icon: null, rdns: null }))
  return { wallet, session }
}

/** The sighash type of each input's signature, where that holds for the account's key; null where there is none. */
function signaturesOf(txJson: string): (number | null)[] {
  const safe = JSON.parse(txJson) as SafeTransaction
  const transaction = fromSafeTransaction(safe)
  return safe.inputs.map(({ signatureScript = '' }, index) => {
    if (signatureScript === '') return null
    const type = parseInt(signatureScript.slice(-2), 16) as SighashType
    const hash = sighash(transaction, index, spentBy(safe), type, sighashParts(transaction))
    const holds = schnorr.verify(fromHex(signatureScript.slice(2, 130)), hash, fromHex(PUBLIC_KEY.slice(2)))
    return holds ? type : NaN
  })
}

describe.each(KINDS)('a transaction signed by %s', (kind) => {
  it('comes back with every input signed for all of it, and nothing else changed', async () => {
    const { session } = await connected(kind)
    const signed = await outcome(session.signPskt(SAFE_TRANSACTION))
    expect(signaturesOf(signed)).toEqual([1, 1])
    const { inputs: _, ...rest } = JSON.parse(signed) as SafeTransaction
    expect(JSON.parse(SAFE_TRANSACTION)).toMatchObject(rest)
  })

  it('comes back with the inputs that were named, as they were named', async () => {
    const { session } = await connected(kind)
    const signed = await outcome(session.signPskt(SAFE_TRANSACTION, { signInputs: [{ index: 1, sighashType: 130 }] }))
    // Kastle signs whatever it owns once more, where any of that was not named
    expect(signaturesOf(signed)).toEqual(kind === 'walletB' ? [1, 1] : [null, 130])
  })

  it('comes back as it was asked for where every input was named', async () => {
    const { session } = await connected(kind)
    const signInputs = [{ index: 0, sighashType: 129 }, { index: 1 }]
    expect(signaturesOf(await outcome(session.signPskt(SAFE_TRANSACTION, { signInputs })))).toEqual([129, 1])
  })

  it('comes back with a script’s input signed where that was named', async () => {
    const { session } = await connected(kind)
    const transaction = JSON.parse(SAFE_TRANSACTION) as SafeTransaction
    const script = { amount: '300000000', scriptPublicKey: `0000aa20${'33'.repeat(32)}87` }
    const inputs = transaction.inputs.slice(0, 1).map((input) => ({ ...input, utxo: script }))
    const txJson = JSON.stringify({ ...transaction, inputs })
    expect(signaturesOf(await outcome(session.signPskt(txJson, { signInputs: [{ index: 0 }] })))).toEqual([1])
  })

  it('is not sent', async () => {
    const { session, wallet } = await connected(kind)
    await outcome(session.signPskt(SAFE_TRANSACTION))
    expect(wallet.calls.filter(({ method }) => /send|broadcast|push/i.test(method))).toEqual([])
  })
})

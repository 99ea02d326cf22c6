import { describe, expect, it } from 'vitest'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { accountValueOf } from '../../../src/model/cosigning/account-value.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createBundleAccount } from '../../../src/operations/cosigning/bundle-account.js'
import { finish } from '../../../src/loading/steps.js'
import { findPaths, toBundle } from '../../../src/operations/cosigning/bundle.js'
import { createProposals } from '../../../src/operations/cosigning/from-pskb.js'
import { createProposal } from '../../../src/operations/cosigning/proposal.js'
import { signByCaller } from '../../../src/operations/cosigning/sign-by-caller.js'
import { noSignatures, ownInputs } from '../../../src/operations/cosigning/signatures.js'
import { signedBundle } from '../../cosigning/signed-bundle.js'
import { accountKeys, FEE, KAS, toPskt, toText } from '../../cosigning/texts.js'
import { isValidSignature } from '../../../src/operations/cosigning/verify-signature.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createScriptedDependencies, remoteRejection } from '../transactions/scripted-dependencies.js'

const { keys, value } = accountKeys({ threshold: 2, count: 3 })
const RECIPIENT = addressOfPublicKey('2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4', 'kaspasim')
const PATH = { cosigner: 0, change: false, index: 0 }
const entry: UtxoEntry = fixtures.utxo({
  outpoint: { transactionId: 'ab'.repeat(32), index: 0 },
  amount: 10n * KAS,
  scriptPublicKey: value.scriptPublicKey(PATH),
})
const honest = toPskt(value, { entries: [entry], outputs: [{ address: RECIPIENT, amount: 10n * KAS - FEE }] })

const unused = (): never => {
  throw new Error('Nothing is signed')
}

describe('a caller', () => {
  it('that aborts leaves no reservation behind', async () => {
    const controller = new AbortController()
    const dependencies = createScriptedDependencies(unused, {
      getUtxosByAddresses: () => ({ entries: [entry] }),
      getMempoolEntry: () => {
        controller.abort()
        return remoteRejection('getMempoolEntry', 'not there')()
      },
    })
    const { fromPskb } = createProposals(dependencies)
    const proprietaries = new Map([['vue-chain/replaces', 'cd'.repeat(32)]])
    const text = toText({ ...honest, global: { ...honest.global, proprietaries } })
    await expect(fromPskb(text, { account: value, signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(dependencies.reserved.size).toBe(0)
  })

  it('that combines signatures keeps the change address: others may submit the payment', () => {
    const { value: account, pskt } = signedBundle()
    const unsigned = { ...pskt, inputs: pskt.inputs.map((input) => ({ ...input, partialSigs: new Map() })) }
    const bundleAccount = createBundleAccount(account)
    finish(findPaths([unsigned], bundleAccount))
    const bundle = toBundle([unsigned], bundleAccount)
    const allowed = { maxFee: undefined, foreignInputs: false, payload: false }
    const state = { account: bundleAccount, bundle, rejected: [], allowed, areAmountsVerified: true }
    let kept = 0
    const proposal = createProposal(
      { ...state, signatures: noSignatures(bundle) },
      {
        isValidSignature,
        isAmountMemoryDurable: true,
        sdk: unused,
        recordSigned: unused,
        toPending: unused,
        release: unused,
        keepChange: () => void kept++,
      },
    )
    proposal.combine(toText(unsigned))
    expect(kept).toBe(0)
    expect(proposal.combine(toText(pskt)).isComplete).toBe(true)
    expect(kept).toBe(1)
  })

  it('cannot change the scripts of an account', () => {
    const sort = (list: readonly unknown[]) => () => (list as unknown[]).reverse()
    for (const list of [value.publicKeys(PATH), value.keys, value.cosigners]) expect(sort(list)).toThrow(TypeError)
  })

  it.each([
    ['nothing', null],
    ['no signature', []],
    ['one too many', [new Uint8Array(64), new Uint8Array(64)]],
  ])('whose signer returns %s gets an error that says so', async (_, reply) => {
    const account = accountValueOf({ threshold: 2, keys, own: keys[0] }, 'simnet')
    const bundleAccount = createBundleAccount(account)
    finish(findPaths([honest], bundleAccount))
    const bundle = toBundle([honest], bundleAccount)
    const context = {
      account,
      isValidSignature: () => true,
      transactions: () => [],
      ownScripts: () => [],
      signal: undefined,
    }
    const signer = { sign: () => Promise.resolve(reply as unknown as Uint8Array[]) }
    const signed = signByCaller([...ownInputs(bundle, false)], noSignatures(bundle), signer, context)
    await expect(signed).rejects.toMatchObject({ code: 'invalid-signature', argument: 'signer' })
  })
})

import { describe, expect, it } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { readBundle } from '../../../src/model/pskb/read-bundle.js'
import { createBundleAccount } from '../../../src/operations/cosigning/bundle-account.js'
import { findPaths, toBundle } from '../../../src/operations/cosigning/bundle.js'
import { createProposal } from '../../../src/operations/cosigning/proposal.js'
import { mergeVerified, noSignatures, verifySignatures } from '../../../src/operations/cosigning/signatures.js'
import { isValidSignature } from '../../../src/operations/cosigning/verify-signature.js'
import { signedBundle } from '../../cosigning/signed-bundle.js'

const unused = (): never => {
  throw new Error('A text needs no engine')
}

/** A payment of so many inputs, as a cosigner has it who signs first, or who has signed last. */
function proposalOf(inputCount: number, isSigned: boolean) {
  const { value, pskt } = signedBundle(inputCount)
  const account = createBundleAccount(value)
  finish(findPaths([pskt], account))
  const bundle = toBundle([pskt], account)
  const none = noSignatures(bundle)
  const signatures = isSigned ? mergeVerified(none, [...verifySignatures(bundle, false, isValidSignature)]) : none
  const allowed = { maxFee: undefined, foreignInputs: false, payload: false }
  const state = { account, bundle, signatures, rejected: [], allowed, areAmountsVerified: false }
  const isAmountMemoryDurable = false
  const dependencies = { isValidSignature, isAmountMemoryDurable, sdk: unused, recordSigned: unused, toPending: unused }
  return createProposal(state, { ...dependencies, release: unused, keepChange: unused })
}

describe('the text for a device without a network', () => {
  it.each([
    [1, false, true],
    [1, true, true],
    [2, false, true],
    [2, true, false],
    [10, false, false],
  ])('of %i inputs, signed %s, fits into a QR code: %s', (inputs, isSigned, fits) => {
    const proposal = proposalOf(inputs, isSigned)
    const text = proposal.toPskb({ compact: true, upperCase: true })
    expect(text).toMatch(/^[0-9A-Z $%*+\-./:]*$/) // the characters of a code that takes 4,296 of them
    expect([proposal.isQrSized, text.length <= 4296]).toEqual([fits, fits])
  })

  it('leaves out what the other side derives', () => {
    const proposal = proposalOf(1, true)
    const [compact] = readBundle(proposal.toPskb({ compact: true, upperCase: true }))
    const [whole] = readBundle(proposal.toPskb())
    const sizes = [whole, compact].map((each) => [
      each!.global.xpubs.size,
      ...[...each!.inputs, ...each!.outputs].map(({ bip32Derivations }) => bip32Derivations.size),
      each!.outputs.filter(({ redeemScript }) => redeemScript !== null).length,
    ])
    expect(sizes).toEqual([
      [3, 3, 0, 3, 1],
      [0, 0, 0, 0, 0],
    ])
    expect(compact!.inputs.map(({ partialSigs, redeemScript }) => [partialSigs.size, redeemScript])).toEqual(
      whole!.inputs.map(({ partialSigs, redeemScript }) => [partialSigs.size, redeemScript]),
    )
  })
})

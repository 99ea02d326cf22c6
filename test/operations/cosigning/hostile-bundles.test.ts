import { describe, expect, it } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import type { AccountValue } from '../../../src/model/cosigning/account-value.js'
import { type Pskt, psktTransaction } from '../../../src/model/pskb/records.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { createBundleAccount } from '../../../src/operations/cosigning/bundle-account.js'
import { findPaths, toBundle } from '../../../src/operations/cosigning/bundle.js'
import { toSignaturePush } from '../../../src/operations/cosigning/verify-signature.js'
import { toReview } from '../../../src/operations/cosigning/review.js'
import { requireRules } from '../../../src/operations/cosigning/rules.js'
import { verifySignatures } from '../../../src/operations/cosigning/signatures.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { accountKeys, FEE, KAS, toPskt } from '../../cosigning/texts.js'

const { value } = accountKeys({ threshold: 2, count: 3 })
const THIEF = addressOfPublicKey('2f8bde4d1a07209355b4a7250a5c5128e88b84bddc619ab7cba8d569b240efe4', 'kaspasim')
const PATH = { cosigner: 0, change: false, index: 0 }
const CHANGE = value.addressAt({ ...PATH, change: true })
const ALLOWED = { maxFee: undefined, foreignInputs: true, payload: false }
const FACTS = { signers: [], areAmountsVerified: true, isAmountMemoryDurable: true }

const entry: UtxoEntry = fixtures.utxo({
  outpoint: { transactionId: 'ab'.repeat(32), index: 0 },
  amount: 10n * KAS,
  scriptPublicKey: value.scriptPublicKey(PATH),
})

const pay = (address: string, amount: bigint, entries = [entry]): Pskt =>
  toPskt(value, { entries, outputs: [{ address, amount }] })

function open(pskts: readonly Pskt[], account: AccountValue = value) {
  const bundleAccount = createBundleAccount(account)
  finish(findPaths(pskts, bundleAccount))
  const bundle = toBundle(pskts, bundleAccount)
  return { bundle, check: () => requireRules(bundle, bundleAccount, ALLOWED) }
}

/** The output of a payment, as the next transaction of its bundle spends it. */
const outputOf = (pskt: Pskt): UtxoEntry => ({
  ...entry,
  outpoint: { transactionId: transactionId(psktTransaction(pskt)), index: 0 },
  amount: pskt.outputs[0]!.amount,
  scriptPublicKey: pskt.outputs[0]!.scriptPublicKey,
})

describe('the review of a bundle', () => {
  it('shows what is paid to others, also where a later transaction promises it back', () => {
    const theft = pay(THIEF, 10n * KAS - FEE)
    const promise = pay(CHANGE, 10n * KAS - 2n * FEE, [outputOf(theft)])
    const { bundle, check } = open([theft, promise])
    expect(check).not.toThrow()
    const review = toReview(bundle, value, FACTS)
    expect(review.recipients).toMatchObject([{ address: THIEF, amount: 10n * KAS - FEE }])
    expect(review.spendsFromAccount).toBe(10n * KAS)
  })

  it('counts what the transactions of a compound payment pass on to each other once', () => {
    const first = pay(CHANGE, 10n * KAS - FEE)
    const second = pay(THIEF, 10n * KAS - 2n * FEE, [outputOf(first)])
    const review = toReview(open([first, second]).bundle, value, FACTS)
    expect(review).toMatchObject({ change: 0n, fee: 2n * FEE, spendsFromAccount: 10n * KAS })
    expect(review.recipients).toHaveLength(1)
    expect(review.transactions.map(({ isFinal }) => isFinal)).toEqual([false, true])
  })

  it('gives nothing away of the transaction to be signed', () => {
    const { bundle } = open([pay(THIEF, 9n * KAS)])
    const { outpoint } = toReview(bundle, value, FACTS).transactions[0]!.inputs[0]!
    Object.assign(outpoint, { index: 7 })
    expect(bundle[0]!.transaction.inputs[0]!.previousOutpoint.index).toBe(0)
  })
})

describe('a bundle', () => {
  const withSequence = (sequence: bigint): Pskt => {
    const pskt = pay(THIEF, 10n * KAS - FEE)
    return { ...pskt, inputs: pskt.inputs.map((input) => ({ ...input, sequence })) }
  }

  it.each([1_001n, 2n ** 32n - 1n, 2n ** 62n + 600_000n])(
    'is refused where nodes take it only later, sequence %d: it would be paid again meanwhile',
    (sequence) => {
      const { check } = open([withSequence(sequence)])
      expect(check).toThrow(expect.objectContaining({ reason: 'timed', input: 0 }))
    },
  )

  it.each([0n, 999n, 2n ** 32n, 2n ** 63n + 5_000n])('is taken with the sequence %d', (sequence) => {
    expect(open([withSequence(sequence)]).check).not.toThrow()
  })

  it('has no greater bound of its fee by an output that costs much storage mass', () => {
    const pskt = pay(CHANGE, KAS)
    const dust = toPskt(value, {
      entries: [entry],
      outputs: [
        { address: CHANGE, amount: KAS },
        { address: THIEF, amount: 1n },
      ],
    })
    for (const each of [pskt, dust])
      expect(open([each]).check).toThrow(expect.objectContaining({ reason: 'fee', transaction: 0 }))
  })
})

describe('what a text states', () => {
  it('is derived before its transactions are related to an account, in slices', () => {
    let derived = 0
    const counted: AccountValue = {
      ...value,
      scriptPublicKey: (path) => {
        derived++
        return value.scriptPublicKey(path)
      },
      redeemScript: (path) => {
        derived++
        return value.redeemScript(path)
      },
    }
    const other = accountKeys({ threshold: 1, count: 2 }).value.addressAt(PATH)
    const honest = pay(other, 9n * KAS)
    const bip32Derivations = new Map([
      [value.publicKeys(PATH)[0]!, { keyFingerprint: '00'.repeat(4), derivationPath: 'm/0/0/123456' }],
    ])
    const pskt = { ...honest, outputs: honest.outputs.map((output) => ({ ...output, bip32Derivations })) }
    const known = createBundleAccount({ ...counted, pathOf: () => PATH })
    finish(findPaths([pay(CHANGE, 9n * KAS)], known))
    const unknown = createBundleAccount(counted)
    finish(unknown.search([entry.scriptPublicKey]))
    unknown.scriptAt(PATH)
    const before = derived
    expect(toBundle([pay(CHANGE, 9n * KAS)], known)[0]!.inputs).toMatchObject([{ path: PATH }])
    expect(toBundle([pskt], unknown)[0]!.change).toEqual([undefined])
    expect(derived).toBe(before)
  })

  it('costs few verifications, however many signatures a final script has', () => {
    const finalScriptSig = Array.from({ length: 3 }, () => toSignaturePush('11'.repeat(64))).join('')
    const pskt = pay(THIEF, 9n * KAS)
    const { bundle } = open([{ ...pskt, inputs: pskt.inputs.map((input) => ({ ...input, finalScriptSig })) }])
    let verified = 0
    const refuse = (): boolean => {
      verified++
      return false
    }
    const [input] = [...verifySignatures(bundle, false, refuse)]
    expect([input!.signatures.size, input!.rejected.length]).toEqual([0, 3])
    expect(verified).toBe(2 * value.cosigners.length)
  })
})

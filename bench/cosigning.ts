import { accountKeys, FEE, KAS, toPskt } from '../test/cosigning/texts.js'
import { schnorr } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../src/model/address.js'
import { fromHex, toHex } from '../src/model/hex.js'
import { finish } from '../src/loading/steps.js'
import { readBundle } from '../src/model/pskb/read-bundle.js'
import { writeBundle } from '../src/model/pskb/write-bundle.js'
import type { UtxoEntry } from '../src/model/utxo.js'
import { findPaths, spentOf, toBundle } from '../src/operations/cosigning/bundle.js'
import { createBundleAccount } from '../src/operations/cosigning/bundle-account.js'
import { finalTransactions } from '../src/operations/cosigning/write-proposal.js'
import { signersOf, toReview } from '../src/operations/cosigning/review.js'
import { requireRules } from '../src/operations/cosigning/rules.js'
import { noSignatures, ownInputs } from '../src/operations/cosigning/signatures.js'
import { createSignatureCheck, toScriptCheck } from '../src/operations/cosigning/verify-signature.js'
import { validateScripts } from '../src/script/verify.js'
import { limited } from './lib/limited.js'
import { median } from './lib/median.js'
import type { BenchRow } from './row.js'

/** The first two are a warm-up. */
const ROUNDS = 9
const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')
const ALLOWED = { maxFee: 1_000n * KAS, foreignInputs: false, payload: false }

/** Processor time, ms. */
function since(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

/** Texts of several signers. */
export const run = (): BenchRow[] => [parsed(), finalized()]

function entry(transaction: number, index: number, script: UtxoEntry['scriptPublicKey']): UtxoEntry {
  const transactionId = transaction.toString(16).padStart(64, 'a')
  return {
    outpoint: { transactionId, index },
    amount: 10n * KAS,
    scriptPublicKey: script,
    blockDaaScore: 0n,
    isCoinbase: false,
  }
}

/** Twice as many inputs as a text from elsewhere may have. */
function parsed(): BenchRow {
  const { value } = accountKeys({ threshold: 2, count: 3 })
  const script = value.scriptPublicKey({ cosigner: 0, change: false, index: 0 })
  const outputs = [{ address: RECIPIENT, amount: 240n * KAS - FEE }]
  const text = writeBundle(
    Array.from({ length: 100 }, (_, at) =>
      toPskt(value, { entries: Array.from({ length: 24 }, (_unused, index) => entry(at, index, script)), outputs }),
    ),
  )
  const account = createBundleAccount(value)
  const limits = { length: text.length, transactions: 100, inputs: 2_400 }
  const measure = (): number => {
    const from = process.cpuUsage()
    const pskts = readBundle(text, limits)
    finish(findPaths(pskts, account))
    const bundle = toBundle(pskts, account)
    requireRules(bundle, account, ALLOWED)
    const signers = signersOf(bundle, noSignatures(bundle), value)
    const review = toReview(bundle, value, { signers, areAmountsVerified: false, isAmountMemoryDurable: false })
    if (!review.areAmountsCommitted || review.fee !== 100n * FEE) throw new Error('The review is another one')
    return since(from)
  }
  const times = Array.from({ length: ROUNDS }, measure).slice(2)
  const detail = `, ${(text.length / 1e6).toFixed(1)} MB, median of ${times.length}`
  return limited(
    'read and review 100 transactions of 24 inputs (PSKB), processor time',
    median(times),
    150,
    'ms',
    detail,
  )
}

function finalized(): BenchRow {
  const { value, privateKeys } = accountKeys({ threshold: 3, count: 5 })
  const script = value.scriptPublicKey({ cosigner: 0, change: false, index: 0 })
  const outputs = [{ address: RECIPIENT, amount: 10n * KAS - FEE }]
  const pskts = [toPskt(value, { entries: [entry(0, 0, script)], outputs })]
  const account = createBundleAccount(value)
  finish(findPaths(pskts, account))
  const bundle = toBundle(pskts, account)
  const [input] = ownInputs(bundle, false)
  if (input === undefined) throw new Error('There is no input')
  const keys = privateKeys.map((key) => ({ key: fromHex(key), publicKey: toHex(schnorr.getPublicKey(fromHex(key))) }))
  const signatures = input.own.publicKeys.map((publicKey) => {
    const found = keys.find((each) => each.publicKey === publicKey.slice(2))
    if (found === undefined) throw new Error('A key is missing')
    return toHex(schnorr.sign(input.sighash, found.key))
  })
  const subsets = [0, 1, 2, 3, 4].flatMap((a) =>
    [0, 1, 2, 3, 4].flatMap((b) => [0, 1, 2, 3, 4].flatMap((c) => (a < b && b < c ? [[a, b, c]] : []))),
  )
  const measure = (executes: boolean): number => {
    const from = process.cpuUsage()
    const verify = toScriptCheck(createSignatureCheck())
    for (const subset of subsets) {
      const signed = new Map(subset.map((cosigner) => [cosigner, signatures[cosigner] ?? '']))
      const [transaction] = finalTransactions(bundle, [[signed]], 3)
      const [each] = bundle
      if (transaction === undefined || each === undefined) throw new Error('There is no transaction')
      if (executes && validateScripts(transaction, spentOf(each), { verify }) !== undefined)
        throw new Error('A script fails')
    }
    return since(from)
  }
  const times = Array.from({ length: ROUNDS }, () => measure(true)).slice(2)
  const alone = median(Array.from({ length: ROUNDS }, () => measure(false)).slice(2))
  const detail = `, ${subsets.length} subsets, their scripts executed, each signature verified once; ${alone.toFixed(2)} ms without`
  return limited('finalize with every subset of 3 of 5, processor time', median(times), 50, 'ms', detail)
}

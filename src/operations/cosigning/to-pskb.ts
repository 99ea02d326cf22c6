import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { finish } from '../../loading/steps.js'
import { type ChainNetwork, NETWORKS } from '../../model/network.js'
import type { Pskt } from '../../model/pskb/records.js'
import { parsePayment, type SerializablePayment } from '../../model/serialized-payment.js'
import { transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { PendingTx } from '../transactions/records.js'
import { findPaths, toBundle, type BundleTransaction } from './bundle.js'
import type { BundleAccount } from './bundle-account.js'
import { withReplaced } from './review.js'
import type { ToPskbOptions } from './records.js'
import { mergeVerified, noSignatures, verifySignatures } from './signatures.js'
import type { SignatureCheck } from './verify-signature.js'
import { writeProposal } from './write-proposal.js'
import { SIGHASH_TYPES } from '../../model/sighash.js'
import type { Transaction } from '../../model/transaction.js'
import { toAddress } from '../../model/address.js'
import { spendingOf, type SpendingAccount } from '../../model/cosigning/spending-account.js'
import { toTransaction } from '../../model/serialized-transaction.js'

/**
 * The text of payments of an account, planned or final. Throws `ChainError` (`invalid-argument`, `payments`) where an
 * input is of none of the accounts.
 */
export function paymentsToPskb(
  payments: readonly Pick<PendingTx, 'serialize'>[],
  accounts: readonly BundleAccount[],
  network: ChainNetwork,
  isValidSignature: SignatureCheck,
  options?: ToPskbOptions,
): string {
  if (payments.length === 0) throw invalidArgument('payments', 'There are no payments')
  const parsed = payments.map((payment) => parsePayment(payment.serialize(), network))
  const { account, bundle } = findAccount(toPskts(parsed), accounts)
  const verified = [...verifySignatures(bundle, account.value.ecdsa, isValidSignature)]
  const signatures = mergeVerified(noSignatures(bundle), verified)
  const transactions = parsed.map(({ transaction }) => transaction)
  const isFinal = transactions.every(({ inputs }) => inputs.every(({ signatureScript }) => signatureScript !== ''))
  const final = isFinal ? transactions : undefined
  return writeProposal({ bundle, signatures, account: account.value, final }, options)
}

function toPskts(payments: readonly SerializablePayment[]): readonly Pskt[] {
  const created = new Set(payments.map(({ transaction }) => transactionId(transaction)))
  return payments.map(({ transaction, spent, replaces }) => {
    const entries = transaction.inputs.map(({ previousOutpoint: outpoint }, at): UtxoEntry => {
      const { amount, scriptPublicKey, isCoinbase = false } = spent[at] ?? missing()
      const blockDaaScore = created.has(outpoint.transactionId) ? UNACCEPTED : 0n
      return { outpoint, amount, scriptPublicKey, isCoinbase, blockDaaScore }
    })
    const pskt = withReplaced(createPskt(transaction, entries), replaces)
    const inputs = pskt.inputs.map((input, at) => {
      const script = transaction.inputs[at]?.signatureScript ?? ''
      return script === '' ? input : { ...input, finalScriptSig: script }
    })
    return { ...pskt, inputs }
  })
}

/** The DAA score of what no block has accepted. */
const UNACCEPTED = 2n ** 64n - 1n

interface Found {
  readonly account: BundleAccount
  readonly bundle: readonly BundleTransaction[]
}

function findAccount(pskts: readonly Pskt[], accounts: readonly BundleAccount[]): Found {
  const inputs = pskts.map((pskt) => ({ inputs: pskt.inputs, outputs: [] })) // change is where it was planned
  for (const account of accounts) {
    finish(findPaths(inputs, account))
    const bundle = toBundle(pskts, account)
    if (bundle.every(({ inputs }) => inputs.every((own) => own !== undefined))) return { account, bundle }
  }
  throw noAccount()
}

const noAccount = (): ChainError =>
  invalidArgument(
    'payments',
    'The payments are not of an account of several signers that was created here',
    'Create the account first, by accountOf() or accountFromDescriptor() of the same createCosigning().',
  )

function missing(): never {
  throw new TypeError('A parsed payment has a spent output for each input')
}

/** An unsigned transaction as a bundle has it. A payload needs version 1; other software reads version 0 only. */
export const createPskt = ({ version, inputs, outputs, payload }: Transaction, spent: readonly UtxoEntry[]): Pskt => ({
  global: {
    version: payload === '' ? 0 : 1,
    txVersion: version,
    fallbackLockTime: null,
    inputsModifiable: false,
    outputsModifiable: false,
    xpubs: new Map(),
    id: null,
    proprietaries: new Map(),
    unknowns: new Map(),
    payload: payload === '' ? null : payload,
  },
  inputs: inputs.map(({ previousOutpoint, sequence, sigOpCount }, at) => ({
    utxoEntry: toStated(spent[at]),
    previousOutpoint,
    sequence,
    minTime: null,
    partialSigs: new Map(),
    sighashType: SIGHASH_TYPES.All,
    redeemScript: null,
    sigOpCount,
    bip32Derivations: new Map(),
    finalScriptSig: null,
    proprietaries: new Map(),
    unknowns: new Map(),
  })),
  outputs: outputs.map(({ value, scriptPublicKey }) => ({
    amount: value,
    scriptPublicKey,
    redeemScript: null,
    bip32Derivations: new Map(),
    covenant: null,
    proprietaries: new Map(),
    unknowns: new Map(),
  })),
  unknowns: new Map(),
})

const toStated = (entry: UtxoEntry | undefined): Pskt['inputs'][number]['utxoEntry'] =>
  entry === undefined
    ? null
    : {
        amount: entry.amount,
        scriptPublicKey: entry.scriptPublicKey,
        blockDaaScore: entry.blockDaaScore,
        isCoinbase: entry.isCoinbase,
        covenantId: entry.covenantId ?? null,
      }

/** The change addresses of payments that were written as proposals, which no other payment gets. */
interface TakenChange {
  /** Takes the change addresses of the own branch of an account. */
  readonly take: (payments: readonly PendingTx[], accounts: readonly SpendingAccount[]) => void
  /** Keeps those of payments that somebody has signed, for ever. */
  readonly keep: (ids: readonly string[]) => void
  /** Gives back those of payments that are dropped, unless they are kept. */
  readonly giveBack: (ids: readonly string[]) => void
}

export function createTakenChange(): TakenChange {
  const releases = new Map<string, readonly (() => void)[]>()
  return {
    take: (payments, accounts) => {
      for (const payment of payments)
        if (!releases.has(payment.id))
          releases.set(
            payment.id,
            accounts.flatMap((account) => takeOf(payment, account)),
          )
    },
    keep: (ids) => ids.forEach((id) => releases.set(id, [])),
    giveBack: (ids) => {
      for (const id of ids) {
        const taken = releases.get(id) ?? []
        for (const release of taken) release()
        if (taken.length > 0) releases.delete(id)
      }
    },
  }
}

function takeOf(payment: PendingTx, account: SpendingAccount): readonly (() => void)[] {
  const { value, pathOf, takeChange } = spendingOf(account)
  const prefix = NETWORKS[account.network].addressPrefix
  return toTransaction(payment.serialize()).outputs.flatMap(({ scriptPublicKey }) => {
    const path = pathOf(toAddress(scriptPublicKey, prefix) ?? '')
    return path?.change === true && path.cosigner === value.ownCosigner ? [takeChange(path)] : []
  })
}

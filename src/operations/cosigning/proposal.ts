import { invalidArgument } from '../../errors/chain-error.js'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import { loadCode } from '../../loading/load-code.js'
import { storageMass } from '../../model/mass.js'
import { readBundle } from '../../model/pskb/read-bundle.js'
import { serializePayment } from '../../model/serialized-payment.js'
import type { Transaction } from '../../model/transaction.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { PendingTx } from '../transactions/records.js'
import { feeOf, massOf, spentOf, toBundle, type BundleTransaction } from './bundle.js'
import type { BundleAccount } from './bundle-account.js'
import { finalTransactions, missingSignatures, writeProposal } from './write-proposal.js'
import type { Proposal, RejectedSignature, ToPskbOptions } from './records.js'
import { signersOf, toReview } from './review.js'
import { requireRules, type BundleAllowances } from './rules.js'
import { signBundle, type SignBundleContext } from './sign-bundle.js'
import { mergeVerified, verifySignatures, type BundleSignatures } from './signatures.js'
import { checkKeys, toScriptCheck, type SignatureCheck } from './verify-signature.js'

/** What a proposal was made from, and what has been signed. */
export interface ProposalState {
  readonly account: BundleAccount
  readonly bundle: readonly BundleTransaction[]
  readonly signatures: BundleSignatures
  readonly rejected: readonly RejectedSignature[]
  readonly allowed: BundleAllowances
  readonly areAmountsVerified: boolean
}

/** What proposals need of an engine. */
export interface ProposalDependencies {
  readonly sdk: SignBundleContext['sdk']
  readonly isValidSignature: SignatureCheck
  /** Whether signed amounts are kept beyond this process. */
  readonly isAmountMemoryDurable: boolean
  /** Rejects with `ChainCryptoError` (`amount-conflict`). */
  readonly recordSigned: (built: BuiltTransaction) => Promise<void>
  /** The signed transactions, which reserve their inputs. */
  readonly toPending: (
    built: readonly BuiltTransaction[],
    bundle: readonly BundleTransaction[],
  ) => Promise<readonly PendingTx[]>
  readonly release: () => void
  /** Keeps the change addresses of the payment: it was signed. */
  readonly keepChange: () => void
}

/** The characters of a QR code that holds digits, capitals and `PSKB` (version 40, least correction). */
const QR_LENGTH = 4296

/** A proposal; every change is another one. */
export function createProposal(state: ProposalState, dependencies: ProposalDependencies): Proposal {
  const { account, bundle, signatures } = state
  const { isValidSignature } = dependencies
  const { value } = account
  const signers = signersOf(bundle, signatures, value)
  const write = (options?: ToPskbOptions): string => writeProposal({ bundle, signatures, account: value }, options)
  const next = (changes: Partial<ProposalState>): Proposal => createProposal({ ...state, ...changes }, dependencies)
  return Object.freeze({
    review: toReview(bundle, value, {
      signers,
      areAmountsVerified: state.areAmountsVerified,
      isAmountMemoryDurable: dependencies.isAmountMemoryDurable,
    }),
    signers,
    isComplete: missingSignatures(bundle, signatures, value.threshold) === undefined,
    rejectedSignatures: state.rejected,
    get isQrSized() {
      return write({ compact: true }).length <= QR_LENGTH
    },
    signAsync: async (keys, { signal } = {}) => {
      const transactions = () => bundle.map((each) => serialize(each, account))
      const ownScripts = () =>
        bundle.flatMap(({ inputs, change }) => [...inputs, ...change].filter((own) => own !== undefined))
      const { sdk } = dependencies
      const context = { account: value, sdk, isValidSignature, transactions, ownScripts, signal }
      const signed = await signBundle(bundle, signatures, keys, context)
      dependencies.keepChange()
      for (const each of bundle) await dependencies.recordSigned(toBuilt(each, each.transaction, value.threshold))
      return next({ signatures: signed })
    },
    combine: (other) => {
      const text = typeof other === 'string' ? other : other.toPskb()
      const verified = [...verifySignatures(readSame(text, state), value.ecdsa, isValidSignature, signatures)]
      const rejected = verified.flatMap((each) => each.rejected)
      if (verified.some((each) => each.signatures.size > 0)) dependencies.keepChange()
      return next({ signatures: mergeVerified(signatures, verified), rejected: [...state.rejected, ...rejected] })
    },
    finalize: async () => {
      const transactions = finalTransactions(bundle, signatures, value.threshold)
      const built = bundle.map((each, at) => toBuilt(each, transactions[at] ?? each.transaction, value.threshold))
      await executeScripts(built, bundle, isValidSignature)
      return dependencies.toPending(built, bundle)
    },
    toPskb: write,
    release: dependencies.release,
  } satisfies Proposal)
}

/** The transactions of another text. Throws where they are not those of the proposal in every signed field. */
function readSame(text: string, { account, bundle, allowed }: ProposalState): readonly BundleTransaction[] {
  const pskts = readBundle(text)
  for (const _ of checkKeys(pskts)) continue
  const other = toBundle(pskts, account)
  requireRules(other, account, allowed)
  if (other.length !== bundle.length || !bundle.every((each, at) => isSame(each, other[at]))) throw otherTransactions()
  return other
}

/** The id covers all but the number of operations and what is spent. */
function isSame(each: BundleTransaction, other: BundleTransaction | undefined): boolean {
  const facts = (one: BundleTransaction): string =>
    JSON.stringify([
      one.id,
      one.transaction.inputs.map(({ sigOpCount }) => sigOpCount),
      spentOf(one).map(({ amount, scriptPublicKey: { version, script } }) => [String(amount), version, script]),
    ])
  return other !== undefined && facts(each) === facts(other)
}

const toBuilt = (each: BundleTransaction, transaction: Transaction, threshold: number): BuiltTransaction => {
  const spent = spentOf(each)
  return {
    id: each.id,
    transaction: { ...transaction, mass: storageMass(transaction, spent) },
    spent,
    fee: feeOf(each),
    mass: massOf(each, threshold),
  }
}

const serialize = (each: BundleTransaction, { value: { network } }: BundleAccount) =>
  serializePayment({
    network,
    transaction: each.transaction,
    spent: spentOf(each),
    replaces: undefined,
    lookupStart: undefined,
    change: undefined,
  })

/** Nodes execute the same scripts: nothing leaves that they refuse. */
async function executeScripts(
  built: readonly BuiltTransaction[],
  bundle: readonly BundleTransaction[],
  isValidSignature: SignatureCheck,
): Promise<void> {
  const { validateScripts } = await loadCode(() => import('../../script/verify.js'))
  const verify = toScriptCheck(isValidSignature)
  for (const [at, { transaction }] of built.entries()) {
    const each = bundle[at]
    const violation = each && validateScripts(transaction, spentOf(each), { verify })
    if (violation !== undefined) throw refused(violation)
  }
}

const refused = (violation: string): ChainCryptoError =>
  new ChainCryptoError('sign', new Error(violation), {
    code: 'invalid-signature',
    argument: 'proposal',
    hint: 'Nothing was sent. A signature of an input of somebody else may be wrong.',
  })

const otherTransactions = (): Error =>
  invalidArgument(
    'other',
    'The other text has other transactions',
    'Combine the texts of one payment: same inputs, outputs, amounts and sequences, in the same order.',
  )

import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { abortable } from '../../loading/abortable.js'
import type { SpendingAccount } from '../../model/cosigning/spending-account.js'
import { NETWORKS } from '../../model/network.js'
import { readBundle } from '../../model/pskb/read-bundle.js'
import { collectInSlices } from '../../sdk/time-slices.js'
import type { BuiltTransaction } from '../transactions/build.js'
import { checkMaxFee } from '../transactions/payment-fee.js'
import { toUnconfirmed } from '../transactions/created-plan.js'
import type { TransactionDependencies } from '../transactions/transaction-operations.js'
import type { PendingTx } from '../transactions/records.js'
import { RESTORED_TIMEOUT, createRestored } from '../transactions/restore.js'
import { createSignedAmounts } from '../transactions/sign/signed-amounts.js'
import { createMadePayments, abortedBefore } from '../transactions/submit/before-submission.js'
import { findPaths, spentOf, toBundle, type BundleTransaction } from './bundle.js'
import { createBundleAccount, type BundleAccount, type ProposalAccount } from './bundle-account.js'
import { requireEntries, findReplaced } from './review.js'
import { createProposal, type ProposalDependencies } from './proposal.js'
import type { FromPskbOptions, Proposal, ToPskbOptions } from './records.js'
import { requireRules, type BundleAllowances } from './rules.js'
import { mergeVerified, noSignatures, verifySignatures } from './signatures.js'
import { paymentsToPskb, createTakenChange } from './to-pskb.js'
import { checkKeys, createSignatureCheck } from './verify-signature.js'

/** Reads proposals over a node. */
export interface ProposalOperations {
  /**
   * Reads and verifies a bundle for an account, and reserves its inputs. Rejects with `ChainError`: `invalid-pskb`,
   * `untrusted-pskb` with the rule that it breaks, `invalid-argument`; and with `ChainRpcError`.
   */
  readonly fromPskb: (text: string, options: OpenOptions) => Promise<Proposal>
  /**
   * The text of payments of one of the accounts, or of a proposal. Throws `ChainError` (`invalid-argument`).
   */
  readonly toPskb: (
    source: Proposal | readonly PendingTx[],
    accounts: readonly (ProposalAccount & SpendingAccount)[],
    options?: ToPskbOptions,
  ) => string
}

export interface OpenOptions extends FromPskbOptions {
  readonly account: ProposalAccount
}

export function createProposals(dependencies: TransactionDependencies): ProposalOperations {
  const { network, call, sdk, reservations, claims } = dependencies
  const signedAmounts = createSignedAmounts(dependencies.signedAmounts)
  const made = createMadePayments()
  const isValidSignature = createSignatureCheck()
  const accounts = new WeakMap<ProposalAccount, BundleAccount>()

  const accountOf = (given: ProposalAccount): BundleAccount => {
    if (typeof given !== 'object' || given.network !== network()) throw otherNetwork()
    const known = accounts.get(given) ?? createBundleAccount(given)
    accounts.set(given, known)
    return known
  }

  const toPending = async (
    built: BuiltTransaction,
    each: BundleTransaction,
    replaces: string | undefined,
  ): Promise<PendingTx> => {
    const change = each.transaction.outputs.find((_, at) => each.change[at] !== undefined)?.scriptPublicKey
    const payment = { built, replaces, lookupStart: undefined, change }
    const options = { network: network(), ecdsa: undefined, signedAmounts, made, reserves: true, hasSignatures: true }
    const { transaction, claimed } = createRestored(payment, options, dependencies)
    await claims?.claim(claimed, 'sent')
    return transaction
  }

  const reserve = (bundle: readonly BundleTransaction[], timeout: number): (() => void) => {
    if (timeout === 0) return () => undefined
    const releases = bundle.map((each) =>
      reservations.reserve(toUnconfirmed({ ...each, spent: spentOf(each), fee: 0n, mass: 0n }), timeout),
    )
    return () => {
      for (const release of releases) release()
    }
  }

  const taken = createTakenChange()

  const dependenciesOf = (
    release: () => void,
    ids: readonly string[],
    replaces: string | undefined,
  ): ProposalDependencies => ({
    sdk: () => sdk('sign'),
    isValidSignature,
    isAmountMemoryDurable: dependencies.signedAmounts !== undefined,
    recordSigned: signedAmounts.recordForeign,
    toPending: async (built, bundle) => {
      const pending = await Promise.all(built.map((one, at) => toPending(one, bundle[at] ?? missing(), replaces)))
      release() // the payments have reserved the inputs themselves
      return pending
    },
    release: () => {
      release()
      taken.giveBack(ids)
    },
    keepChange: () => taken.keep(ids),
  })

  const open = async (text: string, given: OpenOptions): Promise<Proposal> => {
    const { account: named, signal, offline, reserveFor, allowed } = checkOptions(given)
    const account = accountOf(named)
    const pskts = readBundle(checkText(text))
    await collectInSlices(checkKeys(pskts), { signal })
    await collectInSlices(findPaths(pskts, account), { signal })
    const bundle = toBundle(pskts, account)
    requireRules(bundle, account, allowed)
    if (!offline) await requireEntries(bundle, NETWORKS[network()].addressPrefix, call, { signal })
    const verifying = verifySignatures(bundle, account.value.ecdsa, isValidSignature)
    const verified = await collectInSlices(verifying, { signal })
    const signatures = mergeVerified(noSignatures(bundle), verified)
    const rejected = verified.flatMap((each) => each.rejected)
    const replaces = offline ? undefined : await findReplaced(bundle, call)
    signal?.throwIfAborted() // the caller gets no proposal that would release them
    const release = reserve(bundle, reserveFor)
    const state = { account, bundle, signatures, rejected, allowed, areAmountsVerified: !offline }
    const ids = bundle.map(({ id }) => id)
    if (signatures.some((inputs) => inputs.some(({ size }) => size > 0))) taken.keep(ids)
    return createProposal(state, dependenciesOf(release, ids, replaces))
  }
  return {
    toPskb: (source, given, options) => {
      if ('toPskb' in source) return source.toPskb(options)
      const accounts = given.filter((account) => account.network === network())
      const text = paymentsToPskb(source, accounts.map(accountOf), network(), isValidSignature, options)
      taken.take(source, accounts)
      return text
    },
    fromPskb: (text, options) => abortable(options.signal, () => open(text, options), abortedBefore),
  }
}

interface CheckedOptions {
  readonly account: ProposalAccount
  readonly signal: AbortSignal | undefined
  readonly offline: boolean
  readonly reserveFor: number
  readonly allowed: BundleAllowances
}

const CHOICES: readonly unknown[] = [undefined, 'refuse', 'allow']

function checkOptions(given: OpenOptions): CheckedOptions {
  refuseUnknown(given, ['account', 'maxFee', 'signal', 'offline', 'foreignInputs', 'payload', 'reserveFor'])
  const { account, signal, offline = false, reserveFor = RESTORED_TIMEOUT, foreignInputs, payload } = given
  for (const [name, choice] of Object.entries({ foreignInputs, payload }))
    if (!CHOICES.includes(choice)) throw invalidArgument(name, `"${name}" must be allow or refuse`)
  if (typeof offline !== 'boolean') throw invalidArgument('offline', '"offline" must be true or false')
  if (!(typeof reserveFor === 'number' && reserveFor >= 0))
    throw invalidArgument('reserveFor', '"reserveFor" must be a number of milliseconds, 0 or more')
  const maxFee = checkMaxFee(given.maxFee)
  const allowed = { maxFee, foreignInputs: foreignInputs === 'allow', payload: payload === 'allow' }
  return { account, signal, offline, reserveFor, allowed }
}

function checkText(text: unknown): string {
  if (typeof text === 'string') return text
  throw invalidArgument('text', 'The PSKB is not a text')
}

const otherNetwork = (): Error =>
  invalidArgument('account', 'The account is not one of this network', 'Pass an account of createCosigning().')

function missing(): never {
  throw new TypeError('A built transaction has one of the bundle')
}

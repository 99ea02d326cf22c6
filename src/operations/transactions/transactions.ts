import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import { withOutcome } from '../../errors/with-outcome.js'
import { loadCode } from '../../loading/load-code.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { toOutpointKey, type ScriptPublicKey } from '../../model/utxo.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { AccountInputs } from './account-inputs.js'
import { build, massOf } from './build.js'
import { createPlan, toUnconfirmed, type Plan, planClaimed, planRefreshed } from './created-plan.js'
import type {
  TransactionDependencies,
  CreatedTransactions,
  SentTransactions,
  TransactionOperations,
} from './transaction-operations.js'
import type { Draft } from './plan/draft.js'
import {
  checkFunding,
  checkSendOptions,
  PLAN_OPTIONS,
  requireSigning,
  type FundingOptions,
  awaitedEntries,
  requireUnmanaged,
  createNamedPayments,
  type PlanScope,
} from './check-payment.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import { loadEcdsa } from './sign/sign-with-keys.js'
import { signAndSubmit } from './sign-and-submit.js'
import type { SignerLimitsContext, SignerRules } from './sign/signer-limits.js'
import { createScriptClasses } from './script-classes.js'
import { createSignedAmounts, withoutStore } from './sign/signed-amounts.js'
import { invalidOutpoints } from './check-entries.js'
import { draftPayment, fetchTerms, prepareFunds, type Preparation } from './prepare.js'
import type {
  AccountPaymentSettings,
  PendingTx,
  PlannedSettings,
  RestoreOptions,
  SendOptions,
  SendSettings,
  TransactionSummary,
} from './records.js'
import {
  checkRestoreOptions,
  RESTORED_TIMEOUT,
  checkSignatures,
  createRestored,
  isSigned,
  readRestored,
} from './restore.js'
import { checkSettings, type CheckedSettings } from './settings.js'
import { hasDescendants } from './own-change.js'
import { createLookupStart, type LookupStart, createMadePayments, throwIfAborted } from './submit/before-submission.js'

/** Ignored by `estimate` and `create`, so that the settings of `send` serve all three. */
const SIGNING_SETTINGS: readonly string[] = ['privateKeys']

export function createTransactions(dependencies: TransactionDependencies): TransactionOperations {
  const { network, call, sdk, reservations, logger, claims } = dependencies
  const signedAmounts = createSignedAmounts(dependencies.signedAmounts)
  const classify = createScriptClasses()
  const made = createMadePayments()

  /** A replacement makes the payments after it impossible. */
  const requireLast = ({ replaces }: CheckedSettings): void => {
    const { payments } = dependencies
    if (replaces === undefined || payments === undefined) return
    const rules = { isPending: payments.isPending, isRelayed: made.has }
    if (!hasDescendants(replaces, payments.all(), rules)) return
    const hint = 'A replacement would make that one impossible: replace the last one, or wait.'
    throw invalidArgument('replaces', 'A later payment of this engine spends its change', hint)
  }

  const prepare = async (
    given: PlannedSettings,
    { signal }: AbortOptions,
    ignored = SIGNING_SETTINGS,
    alongside: () => void = () => undefined,
  ): Promise<Preparation> => {
    const awaited = awaitedEntries(given)
    const current = awaited === null ? given : { ...given, entries: await awaited({ signal }) }
    const account = current.account === undefined ? undefined : await inputsOf(current, network())
    const checked = checkSettings(current, network(), classify, ignored, account)
    const signer = await rulesOf(current.signer, { ...dependencies, prefix: NETWORKS[checked.network].addressPrefix })
    const settings: CheckedSettings = { ...checked, signer }
    signer?.requireFits(settings)
    for (const check of dependencies.checks ?? []) check(settings)
    requireLast(settings)
    throwIfAborted(signal)
    warnOfInvalid(settings, logger)
    const terms = fetchTerms(settings, (method, request) => call(method, request, { signal }), dependencies.replacedOf)
    alongside()
    return prepareFunds(settings, terms)
  }
  /** Synchronous, so that the UTXOs can be reserved before another payment selects them. */
  const planPayment = (
    preparation: Preparation,
    ecdsa: EcdsaSigner | undefined,
    scope: PlanScope = {},
    lookupStart?: LookupStart,
  ) => {
    const { settings } = preparation
    if (!settings.commitsAmounts && dependencies.signedAmounts === undefined) throw withoutStore()
    requireUnmanaged(settings, dependencies.managed, preparation.terms.fixed)
    const drafts = draftPayment(preparation, reservations, scope.maxInputs)
    const change = scope.hasChange === false ? undefined : settings.change
    const plan: Plan = createPlan(
      build(drafts, { ...settings, sigOpCount: settings.account?.sigOpCount }),
      { ...settings, change, ecdsa, signedAmounts, made, lookupStart },
      dependencies,
    )
    return { plan, summary: summarize(settings, drafts) }
  }

  /** Plans a payment, and where it may wait for funds again. */
  const planFunded = async <T>(
    preparation: Preparation,
    plan: (preparation: Preparation) => Promise<T>,
    options: FundingOptions,
  ): Promise<T> => {
    const { waitForFunds = 0, chainDepth = 0 } = options
    const { payments } = dependencies
    if ((waitForFunds === 0 && chainDepth === 0) || payments === undefined) return plan(preparation)
    const { whenFunded } = await loadCode(() => import('./when-funded.js'))
    return whenFunded(preparation, plan, options, { ...dependencies, payments, classify, made })
  }

  /** Where it rejects before the submission, the outcome is `unsent`. */
  const send: typeof sendPlanned = async (...args) => {
    try {
      return await sendPlanned(...args)
    } catch (error) {
      throw withOutcome(error, 'unsent')
    }
  }

  const sendPlanned = async (
    operation: string,
    { privateKeys, signer, ...given }: SendSettings,
    options: SendOptions = {},
    scope?: PlanScope,
  ): Promise<SentTransactions> => {
    checkSendOptions(options)
    if (hasAccount(given)) throw notSignedAlone(operation)
    const keysOrSigner = requireSigning(operation, { privateKeys, signer })
    if (signer === undefined) sdk(operation) // throws before any call where WASM is not ready
    const lookupStart = createLookupStart(dependencies)
    const alongside = signer === undefined ? lookupStart.prefetch : undefined // a signer may take minutes
    const preparation = await prepare({ ...given, signer }, options, [], alongside)
    const planned = async (next: Preparation) => {
      const ecdsa = await loadEcdsa(scriptsOf(next))
      return planClaimed(() => planPayment(next, ecdsa, scope, lookupStart), claims)
    }
    const { plan, summary } = await planFunded(preparation, planned, options)
    const transactionIds = [...(await signAndSubmit(plan, keysOrSigner, options, claims))]
    const known = plan.transactions.at(-1)?.transaction.known ?? 'new'
    return { transactionIds, known, summary: { ...summary, finalTransactionId: transactionIds.at(-1) } }
  }

  const createPlanned = async (
    given: PlannedSettings,
    options: FundingOptions,
    scope?: PlanScope,
  ): Promise<CreatedTransactions> => {
    checkFunding(options)
    const planned = async (next: Preparation) => {
      const ecdsa = await loadEcdsa(scriptsOf(next))
      return planRefreshed(() => planPayment(next, ecdsa, scope), claims)
    }
    const preparation = await prepare(given, options)
    const { plan, summary } = await planFunded(preparation, planned, options)
    return { transactions: plan.transactions.map(({ transaction }) => transaction), summary }
  }

  /** Sends a payment of keys, and plans that of an account. */
  const pay = async (
    operation: string,
    given: SendSettings | AccountPaymentSettings,
    options: SendOptions = {},
    scope?: PlanScope,
  ): Promise<SentTransactions | CreatedTransactions> => {
    if (given.account === undefined) return send(operation, given, options, scope)
    if ('privateKeys' in given || 'signer' in given) throw notSignedAlone(operation)
    checkSendOptions(options, PLAN_OPTIONS)
    return createPlanned(given, options, scope)
  }

  const restore = async (serialized: SerializedTransaction, options?: RestoreOptions): Promise<PendingTx> => {
    const current = network()
    const restored = readRestored(serialized, current)
    const { reserves } = checkRestoreOptions(restored, options, current)
    const { spent } = restored.built
    const release = reserves ? reservations.reserve(toUnconfirmed(restored.built), RESTORED_TIMEOUT) : () => undefined
    try {
      await checkSignatures(restored)
      const ecdsa = await loadEcdsa(spent.map(({ scriptPublicKey }) => scriptPublicKey))
      const signed = isSigned(restored.built)
      const options = { network: current, ecdsa, signedAmounts, made, reserves, hasSignatures: signed }
      const { transaction, claimed } = createRestored(restored, options, dependencies)
      if (reserves) await claims?.claim(claimed, signed ? 'sent' : 'planned')
      return transaction
    } finally {
      release() // has no effect once the payment has reserved them itself
    }
  }

  return {
    estimate: async (given, options = {}) => {
      const preparation = await prepare(given, options)
      return summarize(preparation.settings, draftPayment(preparation, reservations))
    },
    create: (given, options = {}) => createPlanned(given, options),
    send: async (given, options) => send('send', given, options),
    ...createNamedPayments(pay),
    restore,
  }
}

/** How the outputs of an account of several signers are spent. Rejects with `ChainError` (`invalid-argument`). */
async function inputsOf(settings: PlannedSettings, network: ChainNetwork): Promise<AccountInputs> {
  const { accountInputs } = await loadCode(() => import('./account-inputs.js'))
  return accountInputs(settings, network)
}

/** Types refuse it: callers without types may pass it. */
const hasAccount = (given: object): boolean => 'account' in given && given.account !== undefined

const notSignedAlone = (operation: string): ChainError =>
  invalidArgument(
    'account',
    `${operation}() does not sign a payment of an account, which needs several signers`,
    'Plan it with create(), consolidate(), sweep() or cancel(), without privateKeys and signer, then write it for the cosigners: toPskb() of createCosigning().',
  )

/** The limits of a signer, loaded where it has some. Rejects with `ChainError` (`invalid-argument`). */
async function rulesOf(
  signer: PlannedSettings['signer'],
  context: SignerLimitsContext,
): Promise<SignerRules | undefined> {
  if (signer?.limits === undefined) return undefined
  const { toSignerRules } = await loadCode(() => import('./sign/signer-limits.js'))
  return toSignerRules(signer.limits, context)
}

/** Reports entries that are left out because a node or an indexer made them up. */
function warnOfInvalid({ utxos }: CheckedSettings, logger: TransactionDependencies['logger']): void {
  const invalid = invalidOutpoints(utxos)
  if (invalid.length === 0) return
  const outpoints = invalid.slice(0, 10).map(toOutpointKey)
  logger.warn('UTXO entries are left out: their script is not that of their address', {
    count: invalid.length,
    outpoints,
  })
}

function summarize({ outputs }: CheckedSettings, drafts: readonly Draft[]): TransactionSummary {
  const final = drafts.at(-1)?.outputs ?? []
  return {
    fees: drafts.reduce((sum, { fee }) => sum + fee, 0n),
    mass: drafts.reduce((sum, draft) => sum + massOf(draft), 0n),
    transactions: drafts.length,
    finalAmount: (outputs.length > 0 ? outputs : final).reduce((sum, { value }) => sum + value, 0n),
  }
}

/** The scripts that the payment may spend. */
const scriptsOf = ({ settings: { utxos }, terms: { fixed } }: Preparation): readonly ScriptPublicKey[] =>
  [...utxos.source.rows.parts.flatMap(({ columns }) => columns.scripts), ...fixed].map(
    ({ scriptPublicKey }) => scriptPublicKey,
  )

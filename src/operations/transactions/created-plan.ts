import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { Transaction } from '../../model/transaction.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { submitToNode } from '../submission/submit-to-node.js'
import type { BuiltTransaction } from './build.js'
import type { ClaimResult, ClaimedPlan, TransactionDependencies, PaymentClaims } from './transaction-operations.js'
import { createReservableTx, type ReservableTx } from './pending.js'
import type { CheckedSettings } from './settings.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import { createSigningClaim, withClaim, createUtxoReservation } from './submit/held-utxos.js'
import { createPlanSigning, type PlanSigning } from './sign/sign-with-keys.js'
import type { SignedAmounts } from './sign/signed-amounts.js'
import { createLookupStart, type LookupStart, type MadePayments } from './submit/before-submission.js'
import { createSubmission, type Submit } from './submit/submission.js'
import { insufficientFunds, isInsufficientFunds } from '../../errors/payment-errors.js'
import type { TransactionSummary } from './records.js'

/** The transactions of a plan, and what they share. */
export interface Plan {
  /** In the order of submission; their UTXOs are not reserved yet. */
  readonly transactions: readonly ReservableTx[]
  readonly signing: PlanSigning
  readonly lookupStart: LookupStart
  /** What other tabs see of it. */
  readonly claimed: ClaimedPlan
}

export interface PlanOptions extends Pick<CheckedSettings, 'network' | 'replaces'> {
  /** Gets the change; undefined where everything goes to a recipient. */
  readonly change: ScriptPublicKey | undefined
  readonly ecdsa: EcdsaSigner | undefined
  readonly signedAmounts: SignedAmounts
  readonly made: MadePayments
  /** Of a plan to be sent at once. */
  readonly lookupStart?: LookupStart | undefined
  /** Of a plan of an earlier process. */
  readonly restored?: Restored | undefined
  /** What contracts add to the signing and the submission of payments. */
  readonly extension?: PlanExtension | undefined
}

interface PlanExtension {
  readonly signing: (signing: PlanSigning) => PlanSigning
  readonly submit: (submit: Submit, transaction: BuiltTransaction) => Submit
  /** The calls of a transaction, which are serialized with it. */
  readonly calls: (transaction: BuiltTransaction) => readonly SerializedCall[]
}

interface Restored {
  /** The sink from before it was first sent, if it is known. */
  readonly lookupStart: string | undefined
  /** Ms for which it is reserved before it is submitted; 0: not reserved. */
  readonly timeout: number
}

/** The transactions of a plan, to be signed and submitted. */
export function createPlan(
  built: readonly BuiltTransaction[],
  { network, replaces, change, ecdsa, signedAmounts, made, restored, extension, ...given }: PlanOptions,
  dependencies: TransactionDependencies,
): Plan {
  const { sdk, reservations, claims, sentIds, keyPathOf, rememberChange } = dependencies
  const lookupStart = given.lookupStart ?? createLookupStart(dependencies, restored?.lookupStart)
  const isReplacement = replaces !== undefined
  const prefix = NETWORKS[network].addressPrefix
  const payments = createPlanSigning({ sdk: () => sdk('sign'), ecdsa, prefix, keyPathOf })
  const signing = extension?.signing(payments) ?? payments
  const changeAddress = change && toAddress(change, prefix)
  const toClaimed = (payments: readonly BuiltTransaction[]): ClaimedPlan => ({
    network,
    payments: payments.map(toUnconfirmed),
    change,
    replaces,
  })
  const left = (): readonly ReservableTx[] => transactions.filter(({ built: { id } }) => !sentIds.has(id))
  const whileSigned = claims && createSigningClaim(claims, { left, toClaimed, timeout: restored?.timeout ?? 0 })
  const isRestored = restored !== undefined
  const transactions: readonly ReservableTx[] = built.map((each) => {
    const { id, spent } = each
    const toNode = (transaction: Transaction) => submitToNode({ id, transaction, spent, isReplacement }, dependencies)
    const send = createSubmission(id, { ...dependencies, submitToNode: toNode, lookupStart, made }, restored)
    const submitPayment: Submit = (transaction, signal) => {
      if (changeAddress !== undefined) rememberChange(each.id, changeAddress) // before the chain can accept it
      return send(transaction, signal)
    }
    const submit = extension?.submit(submitPayment, each) ?? submitPayment
    const reported =
      replaces === undefined ? submit : withCallback(submit, () => dependencies.onReplaced(replaces, each.id))
    const claim = claims && ((): Promise<ClaimResult> => claims.claim(toClaimed([each]), 'sent'))
    return createReservableTx(each, {
      network,
      replaces,
      change,
      signing,
      signedAmounts,
      calls: extension?.calls(each),
      reservation: createUtxoReservation(reservations, toUnconfirmed(each)),
      lookupStart: isRestored ? () => restored.lookupStart : lookupStart.known,
      whileSigned,
      isRestored,
      send: claim ? withClaim(reported, { ...dependencies, id, claim, isRestored, lookupStart }) : reported,
    })
  })
  return { transactions, signing, lookupStart, claimed: toClaimed(built) }
}

/** What the transaction changes in balances, and the UTXOs that it reserves. */
export const toUnconfirmed = ({ id, spent, transaction }: BuiltTransaction): UnconfirmedTransaction => ({
  id,
  inputs: spent,
  outputs: transaction.outputs,
})

const withCallback =
  (submit: Submit, onRelayed: () => void): Submit =>
  async (transaction, signal) => {
    const known = await submit(transaction, signal)
    onRelayed()
    return known
  }

/** How often a payment is planned where other tabs are faster. */
const MAX_PLANS = 5

/** A plan with its totals. */
interface Planned {
  readonly plan: Plan
  readonly summary: TransactionSummary
}

/**
 * Plans a payment, reserves its UTXOs in the same task, and claims them in all tabs. Where another tab has claimed one,
 * plans again without what that tab has. Rejects as `plan` throws, and with `insufficient-funds` where other tabs are
 * always faster.
 */
export async function planClaimed(plan: () => Planned, claims: PaymentClaims | undefined): Promise<Planned> {
  const reserve = (): Planned => {
    const planned = plan()
    for (const { hold } of planned.plan.transactions) hold()
    return planned
  }
  for (let count = 1; ; count++) {
    const planned = await planRefreshed(reserve, claims)
    if (claims === undefined || (await claims.claim(planned.plan.claimed, 'planned')) === 'claimed') return planned
    for (const { release } of planned.plan.transactions) release()
    if (count === MAX_PLANS) throw outrun(planned)
  }
}

/** Where UTXOs are missing, those of tabs that have ended may be free. */
export async function planRefreshed<T>(plan: () => T, claims: PaymentClaims | undefined): Promise<T> {
  try {
    return plan()
  } catch (error) {
    if (claims === undefined || !isInsufficientFunds(error) || error.reserved === 0n) throw error
    await claims.refresh()
    return plan()
  }
}

function outrun({ plan: { transactions }, summary: { fees, finalAmount = 0n } }: Planned) {
  const ids = new Set(transactions.map(({ built }) => built.id))
  const spent = transactions.flatMap(({ built }) => built.spent)
  const reserved = spent
    .filter(({ outpoint }) => !ids.has(outpoint.transactionId))
    .reduce((sum, { amount }) => sum + amount, 0n)
  const none = { spendable: 0n, immature: 0n, dust: 0n, bound: 0n, invalid: 0n, device: 0n, script: 0n }
  return insufficientFunds(
    'Other tabs have reserved the UTXOs of this payment',
    { ...none, reserved, reservedBy: [], required: finalAmount + fees },
    'Nothing was sent. Wait until the payments of the other tabs are accepted.',
  )
}

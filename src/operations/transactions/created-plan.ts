import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { Transaction } from '../../model/transaction.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import type { ScriptPublicKey } from '../../model/utxo.js'
import { submitToNode } from '../submission/submit-to-node.js'
import type { BuiltTransaction } from './build.js'
import type { ClaimResult, ClaimedPlan, TransactionDependencies } from './dependencies.js'
import { createReservableTx, type ReservableTx } from './pending.js'
import type { CheckedSettings } from './settings.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import { createSigningClaim } from './sign/signing-claim.js'
import { createPlanSigning, type PlanSigning } from './sign/plan-signing.js'
import type { SignedAmounts } from './sign/signed-amounts.js'
import { withClaim } from './submit/claimed-submission.js'
import { createLookupStart, type LookupStart } from './submit/lookup-start.js'
import type { MadePayments } from './submit/made-payments.js'
import { createSubmission, type Submit } from './submit/submission.js'
import { createUtxoReservation } from './submit/utxo-reservation.js'

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

export interface PlanExtension {
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

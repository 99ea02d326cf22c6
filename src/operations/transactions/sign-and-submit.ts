import { isPartiallySubmitted } from '../../errors/partially-submitted.js'
import { NETWORKS } from '../../model/network.js'
import type { UnconfirmedTransaction } from '../../model/unconfirmed-transaction.js'
import type { SdkPort } from '../../sdk/port.js'
import type { CallOptions } from '../queries/call.js'
import { build, type BuiltTransaction } from './build.js'
import type { TransactionDependencies } from './dependencies.js'
import type { Draft } from './plan/draft.js'
import { createReservableTx, type ReservableTx } from './pending.js'
import type { CheckedSettings } from './settings.js'
import type { EcdsaSigner } from './sign/ecdsa.js'
import type { Keyring } from './sign/keyring.js'
import { signAhead } from './sign/sign-ahead.js'
import type { SignedAmounts } from './sign/signed-amounts.js'
import { createSubmitToNode } from './submit/submit-to-node.js'
import { createUtxoReservation } from './submit/utxo-reservation.js'
import { createFetchLookupStart } from './submit/lookup-start.js'
import { createSubmission, type Submit } from './submit/submission.js'
import { submitAll } from './submit/submit-all.js'

/** The transactions of a plan, to be signed and submitted. Their UTXOs are not reserved yet. */
export function toReservable(
  drafts: readonly Draft[],
  { network, replaces }: Pick<CheckedSettings, 'network' | 'replaces'>,
  signing: { readonly ecdsa: EcdsaSigner | undefined; readonly signedAmounts: SignedAmounts },
  dependencies: TransactionDependencies,
): readonly ReservableTx[] {
  const { call, sdk, reservations } = dependencies
  const fetchLookupStart = createFetchLookupStart(dependencies)
  const submitToNode = createSubmitToNode(call, replaces)
  return build(drafts).map((built) => {
    const submit = createSubmission(built.id, { ...dependencies, submitToNode, fetchLookupStart })
    return createReservableTx(built, {
      sdk,
      ...signing,
      prefix: NETWORKS[network].addressPrefix,
      reservation: createUtxoReservation(reservations, toUnconfirmed(built)),
      send: replaces === undefined ? submit : withCallback(submit, (by) => dependencies.onReplaced(replaces, by)),
    })
  })
}

export interface PlanSigning {
  /** Throws `ChainNotReadyError`. */
  readonly sdk: () => SdkPort
  /** Reads the keys; may throw. */
  readonly openKeys: (sdk: SdkPort) => Keyring
}

/**
 * Signs all transactions, then submits them in order. On failure the UTXOs of the unsent ones are released.
 * No reference to the keys remains when submission begins.
 */
export async function signAndSubmit(
  transactions: readonly ReservableTx[],
  { sdk, openKeys }: PlanSigning,
  options: CallOptions,
): Promise<readonly string[]> {
  try {
    await signAhead(sdk(), (using) => signAll(transactions, openKeys(using)))
  } catch (error) {
    for (const { release } of transactions) release()
    throw error
  }
  try {
    return await submitAll(
      transactions.map(({ transaction }) => transaction),
      options,
    )
  } catch (error) {
    const attempted = isPartiallySubmitted(error) ? error.submitted.length + 1 : 1 // submit() releases its own reservation
    for (const { release } of transactions.slice(attempted)) release()
    throw error
  }
}

function signAll(transactions: readonly ReservableTx[], keyring: Keyring): void {
  for (const { signWith } of transactions) signWith(keyring)
}

const toUnconfirmed = ({ id, spent, transaction }: BuiltTransaction): UnconfirmedTransaction => ({
  id,
  inputs: spent,
  outputs: transaction.outputs,
})

const withCallback =
  (submit: Submit, onSubmitted: (id: string) => void): Submit =>
  async (transaction, signal) => {
    const id = await submit(transaction, signal)
    onSubmitted(id)
    return id
  }

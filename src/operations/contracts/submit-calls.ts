import { ChainRpcError } from '../../errors/rpc-error.js'
import { outcomeOf } from '../../errors/with-outcome.js'
import { loadCode } from '../../loading/load-code.js'
import type { KnownOutput } from '../../model/contracts/pending-call.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { Submit } from '../transactions/submit/submission.js'
import type { CallTarget } from './contract-call.js'
import type { MovedContext } from './moved-by.js'
import type { PlacedCall } from './place-calls.js'
import { parsePayment, type SerializablePayment } from '../../model/serialized-payment.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { toUnconfirmed, type PlanOptions } from '../transactions/created-plan.js'
import type { TransactionDependencies } from '../transactions/transaction-operations.js'
import type { PendingTx } from '../transactions/records.js'
import { RESTORED_TIMEOUT, createRestored, feeOf, massOf } from '../transactions/restore.js'
import { loadEcdsa } from '../transactions/sign/sign-with-keys.js'
import { hasPlaceholder, withCalls } from './contract-signing.js'
import type { RestoredContract, TargetOf } from './restored-calls.js'

interface SubmitCallsContext extends MovedContext {
  readonly onRelayed: (transactionId: string) => void
}

/**
 * Submits a transaction with calls, and notifies their instances of what follows. Where the node refuses it because a
 * state is spent, rejects with `contract-moved` if mempool or chain show by what; otherwise the outcome is unknown.
 */
export const submitCalls =
  (submit: Submit, built: BuiltTransaction, calls: readonly PlacedCall[], context: SubmitCallsContext): Submit =>
  async (transaction, signal) => {
    try {
      const known = await submit(transaction, signal)
      notify(built, calls)
      context.onRelayed(built.id)
      return known
    } catch (error) {
      if (!isHint(error)) throw error
      const search = await loadCode(() => import('./recovery.js')).then(
        ({ movedBy }) => movedBy,
        () => undefined, // the outcome stays unknown
      )
      throw (await search?.(error, built.id, calls, context, signal)) ?? error
    }
  }

/** Each instance once, with all of its inputs and outputs. */
function notify(built: BuiltTransaction, calls: readonly PlacedCall[]): void {
  const targets = new Set(calls.map(({ call }) => call.target))
  for (const target of targets) {
    const own = calls.filter(({ call }) => call.target === target)
    target.relayed({
      transactionId: built.id,
      spent: own.map(({ utxo }) => utxo.outpoint),
      created: createdOutputs(built, own),
      depth: depthAfter(own),
    })
  }
}

/** The outputs that calls continue to, in a transaction that no block has yet. */
export const createdOutputs = (
  { id, transaction }: BuiltTransaction,
  calls: readonly PlacedCall[],
): readonly KnownOutput[] =>
  calls.flatMap(({ call: { target }, states, outputs }) =>
    outputs.map((output, at) => ({
      outpoint: { transactionId: id, index: transaction.outputs.indexOf(output) },
      value: output.value,
      state: decoded(target, states[at]),
      depth: depthAfter(calls),
    })),
  )

const depthAfter = (calls: readonly PlacedCall[]): number =>
  1 + calls.reduce((most, { depth }) => Math.max(most, depth), 0)

/** A state as it is read: bytes in hex. */
const decoded = ({ contract }: CallTarget, state: unknown): unknown =>
  contract.decodeState(contract.redeemScript(state as never)) ?? null

/** The reasons of a node that has another spender, or no longer the state. Neither proves it. */
const HINTS: readonly unknown[] = ['double-spend', 'orphan']

const isHint = (error: unknown): error is ChainRpcError =>
  error instanceof ChainRpcError && outcomeOf(error) === 'unknown' && HINTS.includes(error.reason)

export interface RestoreDependencies extends TransactionDependencies {
  readonly targetOf: TargetOf
}

/**
 * A transaction of contracts of an earlier process. Reserves its inputs at once. Its scripts are executed again, with
 * their signatures, or with placeholders where it is to be signed. Rejects with `ChainError`: `invalid-argument` where
 * it was changed or damaged, or belongs to another network; `state-unknown` where it is to be signed and an instance
 * that it calls is not known.
 */
export async function restoreContract(
  serialized: SerializedTransaction,
  memory: Pick<PlanOptions, 'signedAmounts' | 'made'>,
  dependencies: RestoreDependencies,
): Promise<PendingTx> {
  const { reservations, claims, targetOf } = dependencies
  const network = dependencies.network()
  const { calls: records = [], ...payment } = parsePayment(serialized, network)
  const restored = toRestored(payment, records)
  const { built, entries, isSigned } = restored
  const release = reservations.reserve(toUnconfirmed(built), RESTORED_TIMEOUT)
  try {
    const { checkRestored } = await loadCode(() => import('./recovery.js'))
    const calls = checkRestored(restored, { network, targetOf })
    const spends = calls.map(({ spend }) => spend)
    const extension: PlanOptions['extension'] = {
      signing: (signing) => (isSigned ? signing : withCalls(signing, [{ id: built.id, spends }])),
      submit: (submit) => {
        const placed = calls.map((call) => call.placed)
        const lookupStart = { known: () => payment.lookupStart }
        return submitCalls(submit, built, placed, { ...dependencies, lookupStart, onRelayed: () => undefined })
      },
      calls: () => records,
    }
    const keys = [...entries, ...spends.flatMap(({ signers }) => signers)].map((key) => key.scriptPublicKey)
    const options = {
      network,
      ecdsa: await loadEcdsa(keys),
      ...memory,
      reserves: true,
      hasSignatures: isSigned,
      extension,
    }
    const { transaction, claimed } = createRestored({ ...payment, built }, options, dependencies)
    await claims?.claim(claimed, 'sent')
    return transaction
  } finally {
    release() // has no effect once the transaction has reserved them itself
  }
}

function toRestored(
  { transaction, spent }: SerializablePayment,
  records: RestoredContract['records'],
): RestoredContract {
  const entries = transaction.inputs.flatMap(({ previousOutpoint: outpoint }, at): readonly UtxoEntry[] => {
    const output = spent[at]
    if (output === undefined) return []
    return [{ ...output, outpoint, blockDaaScore: output.blockDaaScore ?? 0n, isCoinbase: false }]
  })
  const [fee, mass] = [feeOf(transaction, spent), massOf(transaction, spent)]
  const built = { id: transactionId(transaction), transaction, spent: entries, fee, mass }
  const isSigned = transaction.inputs.every(
    ({ signatureScript }, at) => signatureScript !== '' && !hasPlaceholder(signatureScript, records[at]),
  )
  return { built, entries, records, isSigned }
}

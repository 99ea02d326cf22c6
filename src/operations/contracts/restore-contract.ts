import { loadCode } from '../../loading/load-code.js'
import { parsePayment, type SerializablePayment } from '../../model/serialized-payment.js'
import type { SerializedTransaction } from '../../model/serialized-transaction.js'
import { transactionId } from '../../model/transaction-id.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { toUnconfirmed, type PlanOptions } from '../transactions/created-plan.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'
import type { PendingTx } from '../transactions/records.js'
import { RESTORED_TIMEOUT, createRestored, feeOf, massOf } from '../transactions/restore.js'
import { loadEcdsa } from '../transactions/sign/load-ecdsa.js'
import { hasPlaceholder } from './call-record.js'
import type { RestoredContract } from './check-restored.js'
import { withCalls } from './contract-signing.js'
import type { TargetOf } from './restored-calls.js'
import { submitCalls } from './submit-calls.js'

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

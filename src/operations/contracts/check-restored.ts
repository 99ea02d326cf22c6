import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { SerializedCall } from '../../model/serialized-transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import { validateScripts } from '../../script/verify.js'
import type { BuiltTransaction } from '../transactions/build.js'
import { restoreCalls, type RestoredCall, type TargetOf } from './restored-calls.js'
import { runSpends } from './run-spends.js'

/** A transaction of contracts of an earlier process. */
export interface RestoredContract {
  readonly built: BuiltTransaction
  /** What it spends. */
  readonly entries: readonly UtxoEntry[]
  readonly records: readonly SerializedCall[]
  readonly isSigned: boolean
}

/**
 * Executes the scripts of a transaction again, with its signatures, or with placeholders where it is to be signed.
 * Returns the calls that are to be signed. Throws `ChainError`: `invalid-argument`, `state-unknown`.
 */
export function checkRestored(
  { built, entries, records, isSigned }: RestoredContract,
  context: { readonly network: ChainNetwork; readonly targetOf: TargetOf },
): readonly RestoredCall[] {
  if (!isSigned && records.length === 0) throw notSigned()
  const calls = isSigned ? [] : restoreCalls(built, records, entries, context)
  if (built.fee < 0n) throw notRestorable('its outputs exceed its inputs')
  const violation = isSigned ? validateScripts(built.transaction, entries) : refusalOf(built, calls)
  if (violation !== undefined) throw notRestorable(violation)
  return calls
}

/** Why a node would refuse the calls of an unsigned transaction. */
function refusalOf(built: BuiltTransaction, calls: readonly RestoredCall[]): string | undefined {
  const run = runSpends(
    built,
    calls.map(({ spend }) => spend),
  )
  return run.kind === 'refused' ? run.reason : undefined
}

const notSigned = (): ChainError =>
  invalidArgument(
    'serialized',
    'The serialized transaction is not signed',
    'It has no record of its calls: plan them again. Nothing was sent.',
  )

const notRestorable = (details: string): ChainError =>
  new ChainError('The serialized transaction cannot be restored', {
    code: 'invalid-argument',
    argument: 'serialized',
    details,
    hint: 'It was changed after serialize() returned it. Nothing was sent.',
  })

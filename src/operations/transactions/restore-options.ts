import { invalidArgument, type ChainError, refuseUnknown } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { toScriptKey } from '../../model/utxo.js'
import { checkMaxFee } from './check-fee.js'
import { requireWithin } from './fee-bound.js'
import type { RestoreOptions } from './records.js'
import { isSigned, type RestoredPayment } from './restore.js'
import { checkPaidOutputs } from './settings.js'

/**
 * Compares a stored payment with what its caller expects. Throws `ChainError`: `invalid-argument`, `fee-too-high`. An
 * argument that is no record is ignored: `payments.map(restore)` passes positions.
 */
export function checkRestoreOptions(
  { built }: RestoredPayment,
  given: unknown,
  network: ChainNetwork,
): { readonly reserves: boolean } {
  const options: RestoreOptions = typeof given === 'object' && given !== null ? given : {}
  refuseUnknown(options, NAMES)
  const { reserve = false, outputs } = options
  if (typeof reserve !== 'boolean') throw invalidArgument('reserve', '"reserve" must be true or false')
  const maxFee = checkMaxFee(options.maxFee)
  if (outputs !== undefined) requireOutputs(built, options, network)
  if (isSigned(built)) return { reserves: true }
  requireWithin({ maxFee, nodeFeeRate: undefined }, built.fee, built.mass)
  return { reserves: reserve }
}

const NAMES = ['maxFee', 'outputs', 'reserve'] as const satisfies readonly (keyof RestoreOptions)[]

function requireOutputs(
  { transaction }: RestoredPayment['built'],
  options: RestoreOptions,
  network: ChainNetwork,
): void {
  const expected = checkPaidOutputs(options, network)
  const isSame =
    expected.length === transaction.outputs.length &&
    transaction.outputs.every(({ value, scriptPublicKey }, at) => {
      const output = expected[at]
      return output?.value === value && toScriptKey(output.scriptPublicKey) === toScriptKey(scriptPublicKey)
    })
  if (!isSame) throw otherOutputs()
}

const otherOutputs = (): ChainError =>
  invalidArgument(
    'outputs',
    'The serialized payment has other outputs',
    'Name all of them in order, change included. If they are right, the stored payment was changed. Nothing was sent.',
  )

import { contractAddress } from '../../errors/contract-errors.js'
import { toScriptKey } from '../../model/utxo.js'
import type { TransactionDependencies } from './dependencies.js'
import type { CheckedSettings } from './settings.js'

/** Throws `ChainError` (`contract-address`) where a payment has an output to a known contract, which would be lost. */
export function requireNoContract(
  { outputs, change }: Pick<CheckedSettings, 'outputs' | 'change'>,
  scripts: TransactionDependencies['contractScripts'],
): void {
  const at = outputs.findIndex(({ scriptPublicKey }) => scripts?.has(toScriptKey(scriptPublicKey)))
  if (at >= 0) throw contractAddress(`outputs[${at}].address`)
  if (scripts?.has(toScriptKey(change)) === true) throw contractAddress('changeAddress')
}

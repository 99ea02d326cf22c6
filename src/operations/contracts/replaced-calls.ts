import { invalidArgument } from '../../errors/chain-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { fetchReplaced, type Replaced } from '../transactions/replaced.js'
import type { CheckedSettings } from '../transactions/settings.js'
import type { PreparedCall } from './prepare-calls.js'

/**
 * An own transaction of the mempool that calls replace. They spend at least one state that it spends, so that only one
 * of the two can be accepted, and what funded it. Rejects as `fetchReplaced` does, and with `ChainError`
 * (`invalid-argument`) where they spend none of its states.
 */
export async function fetchReplacedCalls(
  id: string,
  prepared: readonly PreparedCall[],
  settings: Pick<CheckedSettings, 'utxos'>,
  call: Call,
): Promise<Replaced> {
  const states = prepared.map(({ utxo }) => utxo)
  const { utxos, paidFee } = await fetchReplaced(id, { ...settings, spendsBound: true }, call, states)
  const keys = new Set(states.map(({ outpoint }) => toOutpointKey(outpoint)))
  const others = utxos.filter(({ outpoint }) => !keys.has(toOutpointKey(outpoint)))
  if (others.length === utxos.length)
    throw invalidArgument(
      'replaces',
      'The calls spend no state that the transaction to be replaced spends',
      'Both could be accepted: call the same instances.',
    )
  return { utxos: others.filter(({ covenantId }) => covenantId === undefined), paidFee }
}

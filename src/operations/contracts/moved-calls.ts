import { contractMoved, isContractMoved, type ContractMovedError } from '../../errors/contract-errors.js'
import { outcomeOf } from '../../errors/with-outcome.js'
import type { SendOptions, SigningSettings } from '../transactions/records.js'
import type { DescribedCall, ContractPlan, ContractSettings, SentCalls } from './contract-call.js'
import type { PlacedCall } from './place-calls.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { toOutpointKey } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { fetchReplaced, type Replaced } from '../transactions/replaced.js'
import type { CheckedSettings } from '../transactions/settings.js'
import type { PreparedCall } from './prepare-calls.js'

/** Calls that are planned. */
export interface PlannedCalls {
  readonly plan: ContractPlan
  readonly calls: readonly PlacedCall[]
  /** The id of the transaction that has them. */
  readonly id: string
  /** A chain block from before it was planned; undefined where none is known. */
  readonly lookupStart: () => string | undefined
  /** Releases the UTXOs that it has reserved. */
  readonly release: () => void
}

/** How often calls are planned again, at most. */
const MAX_ATTEMPTS = 5

/**
 * Plans calls again whose state another transaction spends, where they say with which arguments. Only on a state that
 * descends from that transaction: a reorg that revives the first plan then removes the second one.
 */
export function withNextPlans(
  first: PlannedCalls,
  planAgain: (calls: readonly DescribedCall[]) => Promise<PlannedCalls>,
  { signal }: Pick<ContractSettings, 'signal'>,
): ContractPlan {
  const send = async (
    current: PlannedCalls,
    signing: SigningSettings,
    options: SendOptions,
    left: number,
  ): Promise<SentCalls> => {
    try {
      return await current.plan.send(signing, options)
    } catch (error) {
      if (left === 0 || !isContractMoved(error)) throw error
      const next = await continueAfter(error, current, options.signal ?? signal)
      if (next === undefined) throw error
      if (next === 'accepted') return acceptedOf(current)
      current.release()
      try {
        return await send(await planAgain(next), signing, options, left - 1)
      } catch (cause) {
        if (outcomeOf(cause) === 'unknown') throw cause
        throw contractMoved(error, { cause, outcome: 'unknown', transactionId: current.id }) // which was sent
      }
    }
  }
  return { ...first.plan, send: (signing, options = {}) => send(first, signing, options, MAX_ATTEMPTS) }
}

/**
 * The calls of a plan on the state that follows; `accepted` where the chain has taken the plan after all; undefined
 * where the caller decides.
 */
async function continueAfter(
  { covenantId }: ContractMovedError,
  { plan, calls, id, lookupStart }: PlannedCalls,
  signal: AbortSignal | undefined,
): Promise<readonly DescribedCall[] | 'accepted' | undefined> {
  const [moved, ...others] = calls.filter(({ call }) => call.covenantId === covenantId)
  const from = lookupStart()
  if (moved === undefined || others.length > 0 || moved.depth > 0) return undefined
  const { target, options } = moved.call
  if (plan.transactions.length > 1 || options.onMoved === undefined || from === undefined) return undefined
  const { utxo, state } = moved
  const found = await target.successorOf({ utxo, state, from, transactionId: id, signal })
  if (found === undefined || found === 'accepted') return found
  const [next] = found
  if (next === undefined || found.length > 1 || next.state === null) return undefined // the caller decides
  const args = options.onMoved(next.state)
  if (args === null) return undefined
  target.continued(utxo.outpoint, found)
  const again = { ...moved.call, args, options: { ...options, from: next.outpoint, states: undefined } }
  return calls.map(({ call }) => (call === moved.call ? again : call))
}

const acceptedOf = ({ plan, id }: PlannedCalls): SentCalls => ({
  transactionIds: plan.transactions.map((transaction) => transaction.id),
  known: 'accepted',
  summary: { ...plan.summary, finalTransactionId: id },
})

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

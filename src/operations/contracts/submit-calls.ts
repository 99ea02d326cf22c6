import { ChainRpcError } from '../../errors/rpc-error.js'
import { outcomeOf } from '../../errors/with-outcome.js'
import { loadCode } from '../../loading/load-code.js'
import type { KnownOutput } from '../../model/contracts/pending-call.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { Submit } from '../transactions/submit/submission.js'
import type { CallTarget } from './contract-call.js'
import type { MovedContext } from './moved-by.js'
import type { PlacedCall } from './place-calls.js'

export interface SubmitCallsContext extends MovedContext {
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

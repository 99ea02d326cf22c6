import { contractMoved } from '../../errors/contract-errors.js'
import { ChainRpcError } from '../../errors/rpc-error.js'
import { outcomeOf } from '../../errors/with-outcome.js'
import { sleep } from '../../loading/abortable.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { BuiltTransaction } from '../transactions/build.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'
import type { LookupStart } from '../transactions/submit/lookup-start.js'
import type { Submit } from '../transactions/submit/submission.js'
import type { CallTarget } from './contract-call.js'
import { findSpender } from './find-spender.js'
import type { PlacedCall } from './place-calls.js'

export interface SubmitCallsContext extends Pick<TransactionDependencies, 'call' | 'network'> {
  readonly lookupStart: Pick<LookupStart, 'known'>
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
      throw (await movedBy(error, built.id, calls, context, signal)) ?? error
    }
  }

/** Each instance once, with all of its inputs and outputs. */
function notify({ id, transaction }: BuiltTransaction, calls: readonly PlacedCall[]): void {
  const targets = new Set(calls.map(({ call }) => call.target))
  for (const target of targets) {
    const own = calls.filter(({ call }) => call.target === target)
    target.relayed({
      transactionId: id,
      spent: own.map(({ utxo }) => utxo.outpoint),
      created: own.flatMap(({ states, outputs }) =>
        outputs.map((output, at) => ({
          outpoint: { transactionId: id, index: transaction.outputs.indexOf(output) },
          value: output.value,
          state: decoded(target, states[at]),
        })),
      ),
      depth: 1 + own.reduce((most, { depth }) => Math.max(most, depth), 0),
    })
  }
}

/** A state as it is read: bytes in hex. */
const decoded = ({ contract }: CallTarget, state: unknown): unknown =>
  contract.decodeState(contract.redeemScript(state as never)) ?? null

/** The reasons of a node that has another spender, or no longer the state. Neither proves it. */
const HINTS: readonly unknown[] = ['double-spend', 'orphan']

/** How often mempool and chain are read, at most, and the ms in between. */
const [MAX_LOOKUPS, INTERVAL] = [5, 250]

/** What `error` means where it is a hint, and mempool or chain show who spends a state; undefined otherwise. */
async function movedBy(
  error: unknown,
  transactionId: string,
  calls: readonly PlacedCall[],
  context: SubmitCallsContext,
  signal: AbortSignal | undefined,
): Promise<Error | undefined> {
  if (!(error instanceof ChainRpcError) || outcomeOf(error) !== 'unknown' || !HINTS.includes(error.reason))
    return undefined
  for (let lookups = 1; ; lookups++) {
    const moved = await findMoved(transactionId, calls, context)
    if (moved !== undefined) return contractMoved(moved, { cause: error, outcome: 'unknown', transactionId })
    if (lookups === MAX_LOOKUPS || signal?.aborted === true) return undefined
    await sleep(INTERVAL, signal) // the spender may be in a block, which the next one shows to be accepted
  }
}

async function findMoved(
  transactionId: string,
  calls: readonly PlacedCall[],
  { call, network, lookupStart }: SubmitCallsContext,
): Promise<{ readonly covenantId: string; readonly spentBy: string } | undefined> {
  const prefix = NETWORKS[network()].addressPrefix
  for (const {
    call: { covenantId, target },
    utxo,
  } of calls) {
    const { outpoint, scriptPublicKey } = utxo
    const address = toAddress(scriptPublicKey, prefix) ?? ''
    const spentBy = target.spenderOf(outpoint) ?? (await findSpender({ outpoint, address }, lookupStart.known(), call))
    if (spentBy !== undefined && spentBy !== transactionId) return { covenantId, spentBy }
  }
  return undefined
}

import { contractMoved } from '../../errors/contract-errors.js'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import { sleep } from '../../loading/abortable.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { TransactionDependencies } from '../transactions/dependencies.js'
import type { LookupStart } from '../transactions/submit/lookup-start.js'
import { findSpender } from './find-spender.js'
import type { PlacedCall } from './place-calls.js'

export interface MovedContext extends Pick<TransactionDependencies, 'call' | 'network'> {
  readonly lookupStart: Pick<LookupStart, 'known'>
}

/** How often mempool and chain are read, at most, and the ms in between. */
const [MAX_LOOKUPS, INTERVAL] = [5, 250]

/** What a refusal means where mempool or chain show who spends a state; undefined where neither does. */
export async function movedBy(
  error: ChainRpcError,
  transactionId: string,
  calls: readonly PlacedCall[],
  context: MovedContext,
  signal: AbortSignal | undefined,
): Promise<Error | undefined> {
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
  { call, network, lookupStart }: MovedContext,
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

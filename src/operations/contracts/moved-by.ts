import { contractMoved } from '../../errors/contract-errors.js'
import type { ChainRpcError } from '../../errors/rpc-error.js'
import { sleep } from '../../loading/abortable.js'
import { toAddress } from '../../model/address.js'
import { NETWORKS } from '../../model/network.js'
import type { TransactionDependencies } from '../transactions/transaction-operations.js'
import type { LookupStart } from '../transactions/submit/before-submission.js'
import type { PlacedCall } from './place-calls.js'
import { ChainError } from '../../errors/chain-error.js'
import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { fetchMempool } from './fetch-mempool.js'

/** Pages of the chain that are read, at most. */
const MAX_PAGES = 15

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

/** An output whose spender is searched. */
interface SpentState {
  readonly outpoint: Outpoint
  /** The address of its script. */
  readonly address: string
}

/**
 * The transaction that spends an output, as mempool or chain show it: the mempool at its address, and what was accepted
 * since `lookupStart`. Undefined where neither shows one, also where the node does not respond: that proves nothing.
 */
async function findSpender(
  state: SpentState,
  lookupStart: string | undefined,
  call: Call,
): Promise<string | undefined> {
  try {
    return (await findInMempool(state, call)) ?? (lookupStart && (await findOnChain(state, lookupStart, call)))
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

async function findInMempool({ outpoint, address }: SpentState, call: Call): Promise<string | undefined> {
  const listed = [...(await fetchMempool([address], call))]
  return listed.find(([, { inputs }]) => inputs.some((input) => spends(input.previousOutpoint, outpoint)))?.[0]
}

async function findOnChain({ outpoint }: SpentState, from: string, call: Call): Promise<string | undefined> {
  let startHash = from
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'High' })
    const accepted = page.chainBlockAcceptedTransactions.flatMap((block) => block.acceptedTransactions)
    const spender = accepted.find(({ inputs }) => inputs.some((input) => spends(input.previousOutpoint, outpoint)))
    const last = page.addedChainBlockHashes.at(-1)
    if (spender !== undefined) return spender.verboseData?.transactionId
    if (last === undefined) return undefined
    startHash = last
  }
  return undefined
}

/** Whether a reference of the wire is an outpoint. */
const spends = (
  given: { readonly transactionId?: string | undefined; readonly index?: number | undefined } | undefined,
  outpoint: Outpoint,
): boolean =>
  given?.transactionId !== undefined &&
  given.index !== undefined &&
  toOutpointKey({ transactionId: given.transactionId, index: given.index }) === toOutpointKey(outpoint)

import { ChainError } from '../../errors/chain-error.js'
import { toOutpointKey, type Outpoint } from '../../model/utxo.js'
import type { Call } from '../queries/call.js'
import { fetchMempool } from './fetch-mempool.js'

/** An output whose spender is searched. */
export interface SpentState {
  readonly outpoint: Outpoint
  /** The address of its script. */
  readonly address: string
}

/** Pages of the chain that are read, at most. */
const MAX_PAGES = 15

/**
 * The transaction that spends an output, as mempool or chain show it: the mempool at its address, and what was accepted
 * since `lookupStart`. Undefined where neither shows one, also where the node does not respond: that proves nothing.
 */
export async function findSpender(
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

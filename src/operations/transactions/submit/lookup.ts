import { ChainError } from '../../../errors/chain-error.js'
import { ChainRpcError } from '../../../errors/rpc-error.js'
import type { Call } from '../../queries/call.js'
import type { TransactionDependencies } from '../dependencies.js'

/** How often a transaction is looked for before it counts as not there, with how many ms in between. */
const LOOKS = 5
const BETWEEN_LOOKS = 1000

/** How many looks are begun for those at most, since some may fail. */
const TRIES = 8

/** How many ms each look waits for a connection. */
const PATIENCE = 12_000

/** What looking for a transaction has come to: `unknown` where the node did not let all places be looked into often enough. */
export type Finding = 'there' | 'nowhere' | 'unknown'

/**
 * Looks for a transaction whose submission was not answered. `mark` is the chain's head from before it was sent. Looks
 * several times, since a block may hold it that nothing has accepted yet. Does not reject where a look fails.
 */
export async function seek(
  transactionId: string,
  mark: string,
  { call, whenConnected, pause }: Pick<TransactionDependencies, 'call' | 'whenConnected' | 'pause'>,
): Promise<Finding> {
  let finding: Finding = 'unknown'
  let looks = 0
  for (let tries = 0; tries < TRIES && looks < LOOKS; tries++) {
    try {
      await whenConnected(PATIENCE)
      finding = await lookEverywhere(transactionId, mark, call)
      if (finding === 'there') return finding
      looks++
    } catch (error) {
      // A look that fails finds nothing; the submission's own error says what went wrong in the first place.
      if (!(error instanceof ChainError)) throw error
    }
    await pause(BETWEEN_LOOKS)
  }
  return looks < LOOKS ? 'unknown' : finding
}

/** In the mempool, accepted since `mark`, or in a block that waits to be merged: a transaction is in one of them. */
async function lookEverywhere(transactionId: string, mark: string, call: Call): Promise<Finding> {
  if (await isInMempool(transactionId, call)) return 'there'
  const { found, head } = await followChain(transactionId, mark, call)
  if (found) return 'there'
  if (head === undefined) return 'unknown'
  return (await isInBlocksFrom(head, transactionId, call)) ? 'there' : 'nowhere'
}

async function isInMempool(transactionId: string, call: Call): Promise<boolean> {
  try {
    await call('getMempoolEntry', { transactionId, includeOrphanPool: false, filterTransactionPool: false })
    return true
  } catch (error) {
    if (error instanceof ChainRpcError && error.code === 'remote') return false // a node refuses to show what it has not
    throw error
  }
}

/** Pages of the chain that one look reads, at most: on a far node it may grow with every answer. */
const PAGES = 15

/**
 * Reads what has been accepted since `mark`, page by page, until nothing follows: a reorg between two pages is followed too.
 * `head` is where it ends, undefined where that is further than one look reads.
 */
async function followChain(
  transactionId: string,
  mark: string,
  call: Call,
): Promise<{ readonly found: boolean; readonly head: string | undefined }> {
  let head = mark
  for (let pages = 0; pages < PAGES; pages++) {
    const page = await call('getVirtualChainFromBlock', { startHash: head, includeAcceptedTransactionIds: true })
    const found = page.acceptedTransactionIds.some((block) => block.acceptedTransactionIds.includes(transactionId))
    const last = page.addedChainBlockHashes.at(-1)
    if (found || last === undefined) return { found, head }
    head = last
  }
  return { found: false, head: undefined }
}

async function isInBlocksFrom(lowHash: string, transactionId: string, call: Call): Promise<boolean> {
  const { blocks } = await call('getBlocks', { lowHash, includeBlocks: true, includeTransactions: false })
  return blocks.some((block) => block.verboseData?.transactionIds.includes(transactionId))
}

import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import {
  createScriptedDependencies,
  connectionLost,
  remoteRejection,
  type ScriptedDependencies,
} from './scripted-dependencies.js'

/** The sink before and after the submission. */
const SINK = 'aa'.repeat(32)
const LATER_SINK = 'cc'.repeat(32)

/** Where a lookup finds the transaction; nowhere: it never arrived. */
export type Place = 'mempool' | 'accepted' | 'block' | 'nowhere'

/**
 * A node that accepts a transaction, but whose first reply is lost; `replies` throw for the n-th submission instead,
 * counted from 0. `places` are the results of the first, second, … lookup; the last one repeats.
 */
export function droppedReplyNode(
  sdk: SdkPort,
  places: readonly Place[],
  replies: Readonly<Record<number, () => never>> = { 0: connectionLost('submitTransaction') },
): { deps: ScriptedDependencies; sent: Transaction[] } {
  const sent: Transaction[] = []
  let lookups = 0
  const at = (): Place => places[Math.min(lookups, places.length) - 1] ?? 'nowhere'
  const lastId = (): string => sent.map(transactionId).at(-1) ?? ''
  const deps = createScriptedDependencies(sdk, {
    submitTransaction: ({ transaction }) => {
      sent.push(transaction)
      replies[sent.length - 1]?.()
      return { transactionId: transactionId(transaction) }
    },
    getSink: () => ({ sink: sent.length === 0 ? SINK : LATER_SINK }),
    getMempoolEntry: (request) => {
      lookups++
      if (at() !== 'mempool')
        return remoteRejection('getMempoolEntry', `Transaction ${request.transactionId} not found`)()
      return { mempoolEntry: { fee: 203_600n, isOrphan: false, transaction: sent.at(-1) ?? never() } }
    },
    getVirtualChainFromBlock: ({ startHash }) => chainAfter(startHash, at() === 'accepted' ? [lastId()] : []),
    getBlocks: () => {
      const transactionIds = at() === 'block' ? [lastId()] : []
      const block = fixtures.block({ verboseData: { transactionIds, isChainBlock: false } })
      return { blockHashes: [block.header.hash], blocks: [block] }
    },
  })
  return { deps, sent }
}

/** Two pages of the chain after the sink; the second accepts `ids`. */
function chainAfter(startHash: string, ids: string[]): RpcResponse<'getVirtualChainFromBlock'> {
  const next = { [SINK]: 'bb'.repeat(32), ['bb'.repeat(32)]: LATER_SINK }[startHash]
  const accepted = startHash === SINK ? [] : ids
  return {
    removedChainBlockHashes: [],
    addedChainBlockHashes: next === undefined ? [] : [next],
    acceptedTransactionIds: next === undefined ? [] : [{ acceptingBlockHash: next, acceptedTransactionIds: accepted }],
  }
}

function never(): never {
  throw new Error('there is a transaction')
}

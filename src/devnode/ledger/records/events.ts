import type {
  NodeNotification,
  RpcBlock,
  RpcTransaction,
  RpcTransactionOutput,
} from '../../../node/messages/records.js'
import type { ChainChange, ChainState } from '../chain/chain-state.js'
import type { LedgerBlock } from '../block.js'
import { addressVersionOf } from '../../../model/address.js'
import { ZERO_HASH } from '../../../model/hashing.js'
import { difficultyOf } from '../params.js'
import type { Network } from '../network.js'
import type { KnownTransaction } from '../transaction.js'
import type { Addresses } from '../utxo-set.js'

/** The notification of a new block, created before the virtual chain is updated. */
export const blockAdded = (state: ChainState, block: LedgerBlock): NodeNotification => ({
  type: 'block-added',
  data: { block: toAddedBlock(state.validation.addresses, block) },
})

/** Notifications after an update of virtual, in the node's order. Scores and chain are sent even when unchanged. */
export function virtualChanged(state: ChainState, { removed, added, utxos }: ChainChange): readonly NodeNotification[] {
  const hasUtxos = utxos.added.length + utxos.removed.length > 0
  return [
    { type: 'new-block-template', data: {} },
    { type: 'sink-blue-score-changed', data: { sinkBlueScore: state.sink.header.blueScore } },
    { type: 'virtual-daa-score-changed', data: { virtualDaaScore: state.virtual.context.daaScore } },
    {
      type: 'virtual-chain-changed',
      data: {
        removedChainBlockHashes: removed,
        addedChainBlockHashes: added,
        acceptedTransactionIds: added.map((hash) => acceptedIds(state, hash)),
      },
    },
    ...(hasUtxos ? [{ type: 'utxos-changed' as const, data: utxos }] : []),
  ]
}

/** Transactions accepted by a chain block, in consensus order, the coinbase of its selected parent first. */
export function acceptedIds(
  state: ChainState,
  hash: string,
): { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] } {
  const merged = state.acceptanceOf(hash)?.merged ?? []
  return {
    acceptingBlockHash: hash,
    acceptedTransactionIds: merged.flatMap(({ accepted }) => accepted.map(({ known }) => known.id)),
  }
}

/** RPC records of blocks and transactions. */

/** Whether a block record holds its transactions or their ids only. */
type BlockDetail = 'transactions' | 'ids'

export function toRpcBlock({ state, retention }: Network, known: LedgerBlock, detail: BlockDetail): RpcBlock {
  const isHeaderOnly = !state.dag.hasBody(known.hash) || retention.headers.has(known.hash)
  const block = isHeaderOnly ? { ...known, transactions: [] } : known
  return {
    header: block.header,
    transactions:
      detail === 'ids'
        ? []
        : block.transactions.map((known) => toRpcTransaction(known, state.validation.addresses, block)),
    verboseData: {
      ...verboseData(block),
      isHeaderOnly,
      childrenHashes: state.dag.childrenOf(block.hash),
      isChainBlock: state.chain.has(block.hash),
    },
  }
}

/** The record of `block-added`, created before the virtual chain is updated. */
function toAddedBlock(addresses: Addresses, block: LedgerBlock): RpcBlock {
  return {
    header: block.header,
    transactions: block.transactions.map((known) => toRpcTransaction(known, addresses, block)),
    verboseData: { ...verboseData(block), childrenHashes: [], isChainBlock: false },
  }
}

/** A transaction with verbose data. Without a block (mempool), block hash and time are zero. */
export function toRpcTransaction(known: KnownTransaction, addresses: Addresses, block?: LedgerBlock): RpcTransaction {
  const { transaction, id, hash, computeMass } = known
  return {
    ...transaction,
    outputs: transaction.outputs.map((output) => ({ ...output, verboseData: scriptData(output, addresses) })),
    verboseData: {
      transactionId: id,
      hash,
      computeMass,
      blockHash: block?.hash ?? ZERO_HASH,
      blockTime: block?.header.timestamp ?? 0n,
    },
  }
}

/** Undefined for a script without an address: the node then omits the verbose data. */
function scriptData(
  { scriptPublicKey }: Pick<RpcTransactionOutput, 'scriptPublicKey'>,
  addresses: Addresses,
): RpcTransactionOutput['verboseData'] {
  const scriptPublicKeyType = addressVersionOf(scriptPublicKey)
  const scriptPublicKeyAddress = addresses.of(scriptPublicKey)
  if (scriptPublicKeyType === undefined || scriptPublicKeyAddress === undefined) return undefined
  return { scriptPublicKeyType, scriptPublicKeyAddress }
}

function verboseData({ hash, header, transactions, context: { ghostdag } }: LedgerBlock) {
  return {
    hash,
    difficulty: difficultyOf(header.bits),
    selectedParentHash: ghostdag.selectedParent,
    transactionIds: transactions.map(({ id }) => id),
    isHeaderOnly: false,
    blueScore: header.blueScore,
    mergeSetBluesHashes: ghostdag.blues,
    mergeSetRedsHashes: ghostdag.reds,
  }
}

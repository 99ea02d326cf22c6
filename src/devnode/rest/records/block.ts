import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { RpcBlock, RpcTransaction } from '../../../node/messages/records.js'
import { fromHex } from '../../../model/hex.js'
import { readCoinbasePayload } from '../../ledger/block.js'
import type { Indexer } from '../indexer.js'
import { describeScript } from './transaction.js'

export interface BlockView {
  /** Transactions that are not requested are `null`, or an empty list in lists of blocks. */
  readonly transactions: 'list' | 'null'
  readonly extra: object | null
}

export const NO_EXTRA = { color: null, minerAddress: null, minerInfo: null } as const

/** A block in the server's format: large integers of the header are text. */
export function toBlock(indexer: Indexer, { header, transactions, verboseData }: RpcBlock, view: BlockView) {
  return {
    header: {
      version: header.version,
      hashMerkleRoot: header.hashMerkleRoot,
      acceptedIdMerkleRoot: header.acceptedIdMerkleRoot,
      utxoCommitment: header.utxoCommitment,
      timestamp: String(header.timestamp),
      bits: header.bits,
      nonce: String(header.nonce),
      daaScore: String(header.daaScore),
      blueWork: header.blueWork.replace(/^0+(?=.)/, ''),
      parents: header.parentsByLevel.map((parentHashes) => ({ parentHashes })),
      blueScore: String(header.blueScore),
      pruningPoint: header.pruningPoint,
    },
    transactions:
      view.transactions === 'null' ? null : transactions.map((transaction) => toBlockTransaction(indexer, transaction)),
    verboseData: verboseData && {
      hash: verboseData.hash,
      difficulty: verboseData.difficulty,
      selectedParentHash: verboseData.selectedParentHash,
      transactionIds: verboseData.transactionIds,
      blueScore: String(verboseData.blueScore),
      childrenHashes: verboseData.childrenHashes,
      mergeSetBluesHashes: verboseData.mergeSetBluesHashes,
      mergeSetRedsHashes: verboseData.mergeSetRedsHashes,
      isChainBlock: verboseData.isChainBlock,
    },
    extra: view.extra,
  }
}

function toBlockTransaction(indexer: Indexer, transaction: RpcTransaction) {
  const { inputs, outputs, subnetworkId, payload, verboseData, lockTime, gas, mass, version } = transaction
  return {
    inputs: inputs.map(({ previousOutpoint, signatureScript, sigOpCount, sequence }) => ({
      previousOutpoint,
      signatureScript,
      sigOpCount,
      sequence,
    })),
    outputs: outputs.map(({ value, scriptPublicKey }) => ({
      amount: value,
      scriptPublicKey: { scriptPublicKey: scriptPublicKey.script, version: scriptPublicKey.version },
      verboseData: toScriptData(indexer, scriptPublicKey),
    })),
    subnetworkId,
    payload,
    verboseData: verboseData && {
      transactionId: verboseData.transactionId,
      hash: verboseData.hash,
      computeMass: verboseData.computeMass,
      blockHash: verboseData.blockHash,
      blockTime: verboseData.blockTime,
    },
    lockTime,
    gas,
    mass,
    version,
  }
}

function toScriptData(indexer: Indexer, scriptPublicKey: ScriptPublicKey) {
  const { type, address = '' } = describeScript(scriptPublicKey, indexer.network.addressPrefix)
  return { scriptPublicKeyType: type, scriptPublicKeyAddress: address }
}

/** The miner's address and the extra data of the coinbase payload, which follow the script to be paid. */
export function minerOf(indexer: Indexer, { transactions }: RpcBlock) {
  const payload = transactions[0] === undefined ? undefined : readCoinbasePayload(transactions[0].payload)
  if (payload === undefined) return { minerAddress: null, minerInfo: null }
  const { address = null } = describeScript(payload.miner.scriptPublicKey, indexer.network.addressPrefix)
  return {
    minerAddress: address,
    minerInfo: address === null ? null : new TextDecoder().decode(fromHex(payload.miner.extraData)),
  }
}

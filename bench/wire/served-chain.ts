import { Buffer } from 'node:buffer'
import { encodeAddress } from '../../src/model/address.js'
import type { RpcResponse } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { bytesOf } from './bytes-of.js'
import { chainHash, emptyBlock, type Accepted, type Page } from './chain-blocks.js'

/** A chain block as bytes of a node's responses. */
export interface StubBlock {
  readonly hash: Uint8Array
  /** The response to `getBlock`. */
  readonly header: Uint8Array
  /** What the block accepted: an item of the list in `getVirtualChainFromBlockV2`. */
  readonly accepted: Uint8Array
}

/** Chain blocks from the sink of a new connection on, each of which accepts `count` payments of one input. */
export function servedChain(blocks: number, count: number): StubBlock[] {
  const codec = createBorshCodec()
  return Array.from({ length: blocks + 1 }, (_, index) => {
    const page = bytesOf(codec.encodeResponse(0n, 'getVirtualChainFromBlockV2', pageOf(index, count)))
    return {
      hash: page.slice(PAGE_HASH, PAGE_HASH + 32),
      header: bytesOf(codec.encodeResponse(0n, 'getBlock', blockOf(index))),
      accepted: page.slice(PAGE_ACCEPTED),
    }
  })
}

/** Offsets in a page of one block: of its hash, and of what it accepted. */
const PAGE_HASH = 27
const PAGE_ACCEPTED = 67

const ADDRESS = encodeAddress('kaspatest', 'PubKey', new Uint8Array(32).fill(1))
const SCRIPT = { version: 0, script: `20${'01'.repeat(32)}ac` }
const START_SCORE = 90_000_000n

/** The response to `getBlock` for a block of the chain. */
export const blockOf = (index: number): RpcResponse<'getBlock'> => ({
  block: emptyBlock(index, {
    timestamp: 1_763_000_000_000n + BigInt(20 * index),
    blueScore: START_SCORE + BigInt(index),
  }),
})

/** What a node states of a header at verbosity Low. */
function headerOf(index: number) {
  const { hash, version, timestamp, bits, nonce, daaScore, blueScore, blueWork } = blockOf(index).block.header
  return { hash, version, timestamp, bits, nonce, daaScore, blueScore, blueWork }
}

/** The response to `getVirtualChainFromBlockV2` with one block, which accepts `count` payments. */
export const pageOf = (index: number, count: number): Page => ({
  removedChainBlockHashes: [],
  addedChainBlockHashes: [chainHash(index)],
  chainBlockAcceptedTransactions: [
    {
      chainBlockHeader: headerOf(index),
      acceptedTransactions: Array.from({ length: count }, (_, at) => paymentOf(index, at)),
    },
  ],
})

/** A payment of one input to two addresses, with what a node fills in at verbosity Low. */
function paymentOf(index: number, at: number): Accepted {
  const id = Buffer.from(`${index} ${at}`).toString('hex').padEnd(64, '0')
  const verboseData = { scriptPublicKeyType: 'PubKey' as const, scriptPublicKeyAddress: ADDRESS }
  const output = { value: 50n, scriptPublicKey: SCRIPT, verboseData }
  return {
    inputs: [{ signatureScript: '41'.repeat(66), verboseData: { utxoEntry: { verboseData } } }],
    outputs: [output, output],
    subnetworkId: '00'.repeat(20),
    gas: 0n,
    payload: '',
    mass: 10n,
    verboseData: { transactionId: id, hash: id, blockHash: chainHash(index), blockTime: 0n },
  }
}

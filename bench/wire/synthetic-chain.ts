import { Buffer } from 'node:buffer'
import type { RpcBlock, RpcMethod } from '../../src/node/messages/records.js'
import type { Platform, PlatformSocket } from '../../src/platform/port.js'
import { createServerPlatform } from '../../src/platform/detect.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import type { WireResponders } from '../../test/wire-node.js'
import { bytesOf } from './bytes-of.js'
import { chainHash, emptyBlock, indexOf, type Accepted, type Page } from './chain-blocks.js'
import { HANDSHAKE_RESPONDERS } from './handshake.js'
import { openMemorySocket } from './memory-socket.js'

/** Most chain blocks of one page, as a node's. */
const PAGE = 2_480
const ADDRESS = 'kaspasim:qqqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqsznh44uvny'
const SCRIPT = toScriptPublicKey(ADDRESS)

/** A platform whose node serves a chain of `length` blocks. */
export interface SyntheticChain {
  readonly platform: Platform
  /** The pages that were served, in order. Later requests for them are served without encoding. */
  readonly pages: readonly Uint8Array<ArrayBuffer>[]
  /** The method of each request since the last reset. */
  requests: RpcMethod[]
  /** Adds a block, and notifies the clients. */
  grow(): void
}

export interface SyntheticChainOptions {
  /** Payments that each block accepts besides its coinbase. @default 2 */
  readonly payments?: number | undefined
  /** The recipient of a payment, by its index within its block. */
  readonly recipient?: ((at: number) => string) | undefined
}

export function createSyntheticChain(
  start: number,
  { payments = 2, recipient = () => ADDRESS }: SyntheticChainOptions = {},
): SyntheticChain {
  let length = start
  const codec = createBorshCodec()
  const cache = new Map<string, Uint8Array<ArrayBuffer>>()
  const pages: Uint8Array<ArrayBuffer>[] = []
  const sockets: PlatformSocket[] = []
  const chain: SyntheticChain = {
    platform: {
      ...createServerPlatform(),
      openSocket: () => {
        // a turn of the event loop, as a socket takes
        const socket = openMemorySocket(responders, setImmediate, (method) => chain.requests.push(method))
        sockets.push(socket)
        return Promise.resolve(socket)
      },
    },
    pages,
    requests: [],
    grow() {
      length++
      const data = bytesOf(codec.encodeNotification({ type: 'virtual-chain-changed', data: changeOf(length) }))
      for (const socket of sockets) socket.onmessage?.({ data })
    },
  }

  const responders: WireResponders = {
    ...HANDSHAKE_RESPONDERS,
    getSink: () => ({ sink: chainHash(length) }),
    getBlock: ({ hash }) => ({ block: blockOf(indexOf(hash)) }),
    getVirtualChainFromBlockV2: ({ startHash, minConfirmationCount = 0n }, { id, encode }) => {
      const last = Math.min(Number(BigInt(length) - minConfirmationCount), indexOf(startHash) + PAGE)
      const key = `${startHash} ${last}`
      const cached = cache.get(key)
      if (cached !== undefined) return withId(cached, id)
      const blocks = pageOf(indexOf(startHash) + 1, last, (index) => [
        transactionOf(index, 0, ADDRESS),
        ...Array.from({ length: payments }, (_, at) => transactionOf(index, at + 1, recipient(at))),
      ])
      const page = bytesOf(encode(blocks))
      cache.set(key, page)
      pages.push(page)
      return page
    },
  }
  return chain
}

/** A copy of a response for another request: the id follows the first byte. */
function withId(page: Uint8Array<ArrayBuffer>, id: bigint): Uint8Array<ArrayBuffer> {
  new DataView(page.buffer, page.byteOffset).setBigUint64(1, id, true)
  return page
}

const blockOf = (index: number): RpcBlock =>
  emptyBlock(index, { timestamp: BigInt(index) * 100n, blueScore: BigInt(index) })

function pageOf(first: number, last: number, transactionsOf: (index: number) => Accepted[]): Page {
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return {
    removedChainBlockHashes: [],
    addedChainBlockHashes: indexes.map(chainHash),
    chainBlockAcceptedTransactions: indexes.map((index) => ({
      chainBlockHeader: blockOf(index).header,
      acceptedTransactions: transactionsOf(index),
    })),
  }
}

const changeOf = (index: number) => ({
  removedChainBlockHashes: [],
  addedChainBlockHashes: [chainHash(index)],
  acceptedTransactionIds: [],
})

/** Pays one output to a recipient and one back. */
function transactionOf(index: number, at: number, recipient: string): Accepted {
  const id = Buffer.from(`${index} ${at}`).toString('hex').padEnd(64, '0')
  const verboseData = { scriptPublicKeyType: 'PubKey' as const, scriptPublicKeyAddress: ADDRESS }
  const input = {
    previousOutpoint: { transactionId: id, index: 0 },
    signatureScript: '41'.repeat(66),
    sequence: 0n,
    sigOpCount: 1,
    verboseData: {
      utxoEntry: { amount: 100n, scriptPublicKey: SCRIPT, blockDaaScore: 1n, isCoinbase: false, verboseData },
    },
  }
  return {
    version: 0,
    inputs: at === 0 ? [] : [input],
    outputs: [
      {
        value: 50n,
        scriptPublicKey: toScriptPublicKey(recipient),
        verboseData: { ...verboseData, scriptPublicKeyAddress: recipient },
      },
      { value: 50n, scriptPublicKey: SCRIPT, verboseData },
    ],
    lockTime: 0n,
    subnetworkId: `${at === 0 ? '01' : '00'}${'00'.repeat(19)}`,
    gas: 0n,
    payload: at === 0 ? 'ab'.repeat(80) : '',
    mass: 10n,
    verboseData: { transactionId: id, hash: id, computeMass: 10n, blockHash: chainHash(index), blockTime: 0n },
  }
}

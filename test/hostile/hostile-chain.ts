import { createHash } from 'node:crypto'
import type { RpcBlock, RpcHeader, RpcResponse } from '../../src/node/messages/records.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import type { WireResponders } from '../wire-node.js'

export type ChainPage = RpcResponse<'getVirtualChainFromBlockV2'>
export type ChainRecord = ChainPage['chainBlockAcceptedTransactions'][number]
export type TransactionRecord = ChainRecord['acceptedTransactions'][number]

/** A chain block of a test, which accepts one payment to each of `pays`. */
export interface TestBlock {
  readonly hash: string
  readonly blueScore: bigint
  readonly blueWork: bigint
  readonly timestamp: number
  readonly pays: readonly (readonly [address: string, amount: bigint])[]
}

export const hashOf = (label: string): string => createHash('sha256').update(label).digest('hex')

/** `length` blocks after genesis, of 2^70 work each; a block pays as `pays` says. */
export const chainOf = (length: number, pays: Readonly<Record<number, TestBlock['pays']>> = {}): TestBlock[] =>
  Array.from({ length: length + 1 }, (_, at) => blockAt(at, { pays: pays[at] ?? [] }))

/** Whose outputs the payments spend. */
const PAYER = fixtures.testAddress(9)

export const WORK = 2n ** 70n

export const blockAt = (at: number, more: Partial<TestBlock> = {}): TestBlock => ({
  hash: hashOf(`block ${String(at)}`),
  blueScore: BigInt(at),
  blueWork: WORK * BigInt(at + 1),
  timestamp: Date.now() - 10_000 + at * 100,
  pays: [],
  ...more,
})

/** The responses of a node whose chain is `blocks`, read at each call; `corrupt` changes each page. */
export function chainResponders(
  blocks: () => readonly TestBlock[],
  corrupt: (page: ChainPage) => ChainPage = (page) => page,
) {
  const requireAt = (hash: string): number => {
    const index = blocks().findIndex((block) => block.hash === hash)
    if (index < 0) throw new Error(`cannot find header ${hash}`)
    return index
  }
  const sink = (): TestBlock => blocks().at(-1)!
  return {
    getSink: () => ({ sink: sink().hash }),
    getSinkBlueScore: () => ({ blueScore: sink().blueScore }),
    getBlockDagInfo: () => toDagInfo(blocks()),
    getBlocks: ({ lowHash }) => {
      const above = lowHash === undefined ? blocks() : blocks().slice(requireAt(lowHash))
      return { blockHashes: above.map(({ hash }) => hash), blocks: above.map((block) => toBlock(block, block)) }
    },
    getVirtualChainFromBlockV2: ({ startHash }) => {
      const added = blocks().slice(requireAt(startHash) + 1)
      return corrupt({
        removedChainBlockHashes: [],
        addedChainBlockHashes: added.map(({ hash }) => hash),
        chainBlockAcceptedTransactions: added.map(toRecord),
      })
    },
    getBlock: ({ hash }) => {
      const index = requireAt(hash)
      const block = blocks()[index]!
      return { block: toBlock(block, blocks()[index - 1] ?? block) }
    },
  } satisfies WireResponders
}

/** Whose fields all blocks have: a fixture for each of thousands would take most of the time. */
const BLOCK = fixtures.block()

const toHeader = ({ hash, blueScore, blueWork, timestamp }: TestBlock): RpcHeader => ({
  ...BLOCK.header,
  parentsByLevel: [], // the one of the fixture is unknown to the node
  hash,
  timestamp: BigInt(timestamp),
  daaScore: blueScore,
  blueWork: blueWork.toString(16).padStart(48, '0'),
  blueScore,
})

/** A DAG that is a chain: virtual merges its sink alone. */
const toDagInfo = (blocks: readonly TestBlock[]): RpcResponse<'getBlockDagInfo'> => {
  const { hash, blueScore } = blocks.at(-1)!
  return {
    network: 'simnet',
    blockCount: BigInt(blocks.length),
    headerCount: BigInt(blocks.length),
    tipHashes: [hash],
    difficulty: 1,
    pastMedianTime: 0n,
    virtualParentHashes: [hash],
    pruningPointHash: blocks[0]!.hash,
    virtualDaaScore: blueScore + 1n,
    sink: hash,
  }
}

const toBlock = (block: TestBlock, parent: TestBlock): RpcBlock => ({
  header: toHeader(block),
  transactions: [],
  verboseData: {
    ...BLOCK.verboseData!,
    hash: block.hash,
    blueScore: block.blueScore,
    selectedParentHash: parent.hash,
    transactionIds: [],
    mergeSetBluesHashes: [],
  },
})

const toRecord = (block: TestBlock): ChainRecord => ({
  chainBlockHeader: toHeader(block),
  acceptedTransactions: block.pays.map(([address, amount], at) =>
    paymentRecord(`${String(at)} of ${String(block.blueScore)}`, address, amount),
  ),
})

/** A payment of another address, from an output of its own amount and 7 sompi more, as far as 64 bits reach. */
export function paymentRecord(label: string, address: string, amount: bigint): TransactionRecord {
  const { outpoint, ...entry } = fixtures.utxo({
    address: PAYER,
    outpoint: { transactionId: hashOf(`spent by ${label}`), index: 0 },
    amount: amount + 7n > 2n ** 64n - 1n ? amount : amount + 7n,
  })
  const verboseData = { scriptPublicKeyType: 'PubKey' as const, scriptPublicKeyAddress: PAYER }
  const record = fixtures.transaction({
    spends: [{ outpoint, ...entry }],
    pays: [{ address, amount }],
    mass: 1n, // an amount of 0 has none
    verboseData: { transactionId: hashOf(`payment ${label}`) },
  })
  const withEntry = (input: (typeof record.inputs)[number]) => ({
    ...input,
    verboseData: { utxoEntry: { ...entry, verboseData } },
  })
  return { ...record, inputs: record.inputs.map(withEntry) }
}

/** A page with its last block changed. */
export const withLastBlock = (page: ChainPage, change: (block: ChainRecord) => ChainRecord): ChainPage => ({
  ...page,
  chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block, index, all) =>
    index === all.length - 1 ? change(block) : block,
  ),
})

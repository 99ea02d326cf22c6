import { TransactionIds } from '../../model/transaction-ids.js'
import type { AcceptedIds, ChainBlocks, ChainIds } from '../../node/port.js'
import type { RpcAcceptingBlock } from '../../node/messages/records.js'
import { acceptedByChainBlock } from '../../node/messages/blocks.js'
import { MalformedFrame } from '../wire-errors.js'
import type { Cursor } from './cursor.js'
import { minimumSize } from './read-utxos.js'
import type { ReaderOf } from './read.js'

/** Decode the response to `getVirtualChainFromBlockV2`. A test compares them with the reader of records. */
export interface ChainReaders {
  /** Everything of a transaction but its id is skipped by length: of hundreds of bytes, 32 are read. */
  readonly readIds: (cursor: Cursor) => ChainIds
  /** Decodes a block when it is taken, so that its record is garbage before it was ever copied. */
  readonly readBlocks: (cursor: Cursor) => ChainBlocks
}

const ID_SIZE = 32

export function createChainReaders(readerOf: ReaderOf): ChainReaders {
  const readHashes = readerOf({ vec: 'hash' }) as (cursor: Cursor) => string[]
  const readHeader = readerOf(acceptedByChainBlock.fields.chainBlockHeader) as (cursor: Cursor) => AcceptedIds['header']
  const readBlock = readerOf(acceptedByChainBlock) as (cursor: Cursor) => RpcAcceptingBlock
  const readBlockIds = (cursor: Cursor): AcceptedIds => {
    cursor.u16() // the tag has no meaning yet
    return { header: readHeader(cursor), transactionIds: inBox(cursor, readIds) }
  }
  const readPage = <Block>(cursor: Cursor, read: (cursor: Cursor) => Block) => {
    cursor.u16()
    const removedChainBlockHashes = readHashes(cursor)
    const addedChainBlockHashes = readHashes(cursor)
    cursor.enter()
    const blocks = eachInBox(cursor, cursor.count(BLOCK_SIZE), read)
    return { removedChainBlockHashes, addedChainBlockHashes, blocks }
  }
  return {
    readIds: (cursor) => {
      const page = readPage(cursor, readBlockIds)
      return { ...page, blocks: Array.from(page.blocks) }
    },
    readBlocks: (cursor) => readPage(cursor, readBlock),
  }
}

function* eachInBox<Block>(cursor: Cursor, count: number, read: (cursor: Cursor) => Block): Iterable<Block> {
  for (let left = count; left > 0; left--) yield inBox(cursor, read)
}

const BLOCK_SIZE = /*#__PURE__*/ minimumSize({ box: acceptedByChainBlock })
const TRANSACTION_SIZE = /*#__PURE__*/ (() => minimumSize(acceptedByChainBlock.fields.acceptedTransactions.boxvec))()

function readIds(cursor: Cursor): TransactionIds {
  const count = cursor.count(4 + TRANSACTION_SIZE)
  const ids = new Uint8Array(ID_SIZE * count)
  for (let at = 0; at < count; at++) {
    const outerEnd = cursor.enter()
    const start = readIdPosition(cursor)
    for (let byte = 0; byte < ID_SIZE; byte++) ids[ID_SIZE * at + byte] = cursor.bytes[start + byte] ?? 0
    cursor.leave(outerEnd)
  }
  return new TransactionIds(ids)
}

/** The position of a transaction's id, which is in its verbose data, behind all other fields. */
function readIdPosition(cursor: Cursor): number {
  cursor.u16() // the tag has no meaning yet
  skipOptional(cursor, 2) // version
  skipBox(cursor) // inputs
  skipBox(cursor) // outputs
  skipOptional(cursor, 8) // lock time
  skipOptional(cursor, 20) // subnetwork id
  skipOptional(cursor, 8) // gas
  if (cursor.bool()) cursor.take(cursor.u32()) // payload
  skipOptional(cursor, 8) // mass
  cursor.enter()
  if (!cursor.bool()) throw withoutId()
  cursor.enter()
  cursor.u8()
  if (!cursor.bool()) throw withoutId()
  return cursor.take(ID_SIZE)
}

const withoutId = (): MalformedFrame => new MalformedFrame('A transaction has no id')

function skipOptional(cursor: Cursor, size: number): void {
  if (cursor.bool()) cursor.take(size)
}

function skipBox(cursor: Cursor): void {
  cursor.take(cursor.u32())
}

function inBox<T>(cursor: Cursor, read: (cursor: Cursor) => T): T {
  const outerEnd = cursor.enter()
  const value = read(cursor)
  cursor.leave(outerEnd)
  return value
}

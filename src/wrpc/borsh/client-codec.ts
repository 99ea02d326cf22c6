import { methodEntry } from '../../node/messages/lookup.js'
import type { ClientCodec, Frame } from '../codec.js'
import { withRanges } from '../ranges.js'
import { createAddressCoder, type AddressCoder } from './address-coder.js'
import { createMessageReader } from './decode-message.js'
import { createFrameWriter, writeRequest, type WriteFrame } from './frames.js'
import { createHexText, type HexText } from './hex-text.js'
import { createReaders } from './read.js'
import { createChainReaders } from './read-chain-ids.js'
import { createScalarReaders, type ScalarReaders } from './read-scalars.js'
import { createUtxoColumnsReader } from './read-utxo-columns.js'
import { createWriters, type WriterOf } from './write.js'

/** What both halves of the codec consist of, with its caches and its buffer. */
export interface BorshParts {
  readonly scalars: ScalarReaders
  readonly writerOf: WriterOf
  readonly hexText: HexText
  readonly frame: WriteFrame
}

export function createBorshParts(addresses: AddressCoder = createAddressCoder()): BorshParts {
  return {
    scalars: createScalarReaders(addresses),
    writerOf: createWriters(addresses),
    hexText: createHexText(),
    frame: createFrameWriter(),
  }
}

/** The client's half of the Borsh codec, which is all that apps contain. */
export function createBorshClientCodec(parts: BorshParts = createBorshParts()): ClientCodec<Frame> {
  const { scalars, writerOf, hexText, frame } = parts
  const readerOf = createReaders(withRanges(scalars))
  const readColumns = createUtxoColumnsReader(scalars)
  const chain = createChainReaders(readerOf)
  return {
    encoding: 'Borsh',
    encodeRequest: (id, method, request) => {
      const entry = methodEntry(method)
      return frame((writer) =>
        writeRequest(writer, id, entry.op, (body) => writerOf(entry.request)(body, request, 'request')),
      )
    },
    decodeMessage: createMessageReader({ readerOf, readColumns, chain }, hexText),
  }
}

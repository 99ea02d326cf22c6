import { describe, expect, it } from 'vitest'
import type { ChainIds } from '../../src/node/port.js'
import type { RpcResponse } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { MalformedFrame } from '../../src/wrpc/wire-errors.js'
import { bytesOf, fixture, methodOf, type RecordedCall } from './recorded.js'

const METHOD = 'getVirtualChainFromBlockV2'
type Page = RpcResponse<typeof METHOD>

const borsh = createBorshCodec()
const { calls } = fixture('node-2.1.0/borsh.json') as { calls: RecordedCall[] }
const recorded = calls.filter(({ name }) => methodOf(name) === METHOD)
const frameOf = (detail: string): Uint8Array<ArrayBuffer> =>
  bytesOf(recorded.find(({ name }) => name === `${METHOD}:${detail}`)?.response ?? '')

const decodeIds = (frame: Uint8Array<ArrayBuffer>) =>
  borsh.decodeMessage(
    frame,
    () => METHOD,
    () => 'ids',
  )

/** The page in a frame, by the reader of records. */
function recordsIn(frame: Uint8Array<ArrayBuffer>): Page {
  const message = borsh.decodeMessage(frame)
  if (message.kind !== 'response' || message.method !== METHOD) throw new Error('No page')
  return message.response
}

function bytesOfPage(page: Page): Uint8Array<ArrayBuffer> {
  const frame = borsh.encodeResponse(1n, METHOD, page)
  if (typeof frame === 'string') throw new Error('Borsh has no text')
  return frame.slice()
}

/** Ids as strings, in the form of `idsOf`. */
const show = ({ blocks, ...hashes }: ChainIds) => ({
  ...hashes,
  blocks: blocks.map(({ header, transactionIds }) => ({ header, ids: transactionIds.toStrings() })),
})

const idsOf = ({ chainBlockAcceptedTransactions, ...hashes }: Page) => ({
  ...hashes,
  blocks: chainBlockAcceptedTransactions.map(({ chainBlockHeader, acceptedTransactions }) => ({
    header: chainBlockHeader,
    ids: acceptedTransactions.map(({ verboseData }) => verboseData?.transactionId),
  })),
})

describe('the ids of a page of the chain', () => {
  it.each(recorded.filter(({ name }) => !name.endsWith(':None')))(
    'recorded from kaspad 2.1.0 are those of its records: $name',
    ({ response }) => {
      const page = recordsIn(bytesOf(response))
      expect(page.chainBlockAcceptedTransactions.flatMap((block) => block.acceptedTransactions)).not.toEqual([])
      const message = decodeIds(bytesOf(response))
      expect(message.kind === 'ids' ? show(message.page) : message).toEqual(idsOf(page))
    },
  )

  it('are missing at verbosity None: the page is malformed', () => {
    expect(decodeIds(frameOf('None'))).toMatchObject({
      kind: 'malformed',
      error: { code: 'malformed', method: METHOD, details: 'A transaction has no id' },
    })
  })

  it('do not depend on the bytes of the frame after it was decoded', () => {
    const frame = frameOf('Low')
    const expected = idsOf(recordsIn(frame))
    const message = decodeIds(frame)
    frame.fill(0)
    expect(message.kind === 'ids' ? show(message.page) : message).toEqual(expected)
  })

  it('are malformed wherever the frame is cut', () => {
    const frame = frameOf('Low')
    const kinds = Array.from({ length: frame.length - 40 }, (_, at) => decodeIds(frame.slice(0, 40 + at)).kind)
    expect(new Set(kinds)).toEqual(new Set(['malformed']))
  })

  it('are malformed where a list claims more items than the frame can hold', () => {
    const frame = bytesOfPage({
      removedChainBlockHashes: [],
      addedChainBlockHashes: [],
      chainBlockAcceptedTransactions: [],
    })
    const hostile = frame.slice()
    hostile.set([0xff, 0xff, 0xff, 0x7f], hostile.length - 4)
    expect(decodeIds(hostile)).toMatchObject({ kind: 'malformed', id: 1n })
    expect(decodeIds(frame)).toMatchObject({ kind: 'ids', id: 1n })
  })

  it('are the error where the node reports one, and a record where ids are not requested', () => {
    const refused = borsh.encodeError(3n, METHOD, { kind: 'text', message: 'cannot find header' })
    if (typeof refused === 'string') throw new Error('Borsh has no text')
    expect(decodeIds(refused)).toMatchObject({ kind: 'error', id: 3n })
    expect(borsh.decodeMessage(frameOf('Low'), undefined, () => 'record')).toMatchObject({ kind: 'response' })
  })

  it('are records in JSON', () => {
    const json = createJsonCodec()
    const frame = json.encodeResponse(1n, METHOD, recordsIn(frameOf('Low')))
    expect(json.decodeMessage(frame, undefined, () => 'ids')).toMatchObject({ kind: 'response', method: METHOD })
  })
})

describe('the blocks of a page of the chain, one by one', () => {
  const decodeBlocks = (frame: Uint8Array<ArrayBuffer>) => {
    const message = borsh.decodeMessage(
      frame,
      () => METHOD,
      () => 'blocks',
    )
    if (message.kind !== 'blocks') throw new Error(`No blocks, but ${message.kind}`)
    const { blocks, ...hashes } = message.page
    return { ...hashes, chainBlockAcceptedTransactions: blocks }
  }

  it.each(recorded)('recorded from kaspad 2.1.0 are its records: $name', ({ response }) => {
    const { chainBlockAcceptedTransactions, ...hashes } = decodeBlocks(bytesOf(response))
    const page = { ...hashes, chainBlockAcceptedTransactions: Array.from(chainBlockAcceptedTransactions) }
    expect(page).toEqual(recordsIn(bytesOf(response)))
  })

  it('are decoded when they are taken: those before a malformed one too', () => {
    const page = recordsIn(frameOf('Full'))
    const [block] = page.chainBlockAcceptedTransactions
    if (block === undefined) throw new Error('The page is empty')
    const frame = bytesOfPage({ ...page, chainBlockAcceptedTransactions: [block, block] })
    const { chainBlockAcceptedTransactions: blocks } = decodeBlocks(
      frame.fill(0xff, -block.acceptedTransactions.length),
    )
    const taken: unknown[] = []
    expect(() => {
      for (const each of blocks) taken.push(each)
    }).toThrow(MalformedFrame)
    expect(taken).toEqual([block])
  })
})

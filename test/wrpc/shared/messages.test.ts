import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { TransactionIds } from '../../../src/model/transaction-ids.js'
import { toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import { methodEntry } from '../../../src/node/messages/lookup.js'
import { methods } from '../../../src/node/messages/lookup.js'
import { notifications } from '../../../src/node/messages/notifications.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../../src/node/messages/records.js'
import { createBorshCodec } from '../../../src/wrpc/borsh/codec.js'
import type { ResponseFormat } from '../../../src/wrpc/codec.js'
import { createJsonCodec } from '../../../src/wrpc/json/codec.js'
import { decodeError, encodeError, sizeOf, toPlainRequest } from '../../../src/wrpc/shared/plain-data.js'
import { toTabMessage, toWorkerMessage, encodeResponse } from '../../../src/wrpc/shared/messages.js'
import { createTabCodec } from '../../../src/wrpc/shared/dial-shared.js'
import { runs } from '../../full.js'
import { valueOf } from '../arbitrary.js'

const RUNS = { numRuns: runs(10) }
const codecs = [createBorshCodec(), createJsonCodec()]
const tab = createTabCodec(1, 'Borsh')

/** What a tab decodes of a response that a worker has posted. */
function posted(method: RpcMethod, format: ResponseFormat, response: unknown) {
  const message: unknown = structuredClone({
    type: 'result',
    connection: 1,
    id: 1n,
    method,
    format,
    response: encodeResponse(format, response),
  })
  const received = toTabMessage(message)
  if (received === undefined) throw new Error('The tab drops the message')
  return tab.decodeMessage(received)
}

describe.each(codecs)('a record of a node in $encoding', (codec) => {
  it.each(Object.keys(methods) as RpcMethod[])('reaches a tab unchanged: %s', (method) => {
    fc.assert(
      fc.property(valueOf(methodEntry(method).response), (value) => {
        const decoded = codec.decodeMessage(codec.encodeResponse(1n, method, value as never))
        if (decoded.kind !== 'response') throw new Error('It is no response')
        expect(posted(method, 'record', decoded.response)).toStrictEqual(decoded)
      }),
      RUNS,
    )
  })

  it.each(Object.keys(notifications) as NotificationType[])('reaches a tab unchanged: %s', (type) => {
    fc.assert(
      fc.property(valueOf(notifications[type].data), (data) => {
        const decoded = codec.decodeMessage(codec.encodeNotification({ type, data } as NodeNotification))
        if (decoded.kind !== 'notification') throw new Error('It is no notification')
        const { notification } = decoded
        const message = toTabMessage(structuredClone({ type: 'notification', connection: 1, notification }))
        expect(message && tab.decodeMessage(message)).toStrictEqual(decoded)
      }),
      RUNS,
    )
  })
})

it('a list of ids keeps its methods', () => {
  const ids = ['ab'.repeat(32), 'cd'.repeat(32)]
  const bytes = Uint8Array.from({ length: 64 }, (_, at) => (at < 32 ? 0xab : 0xcd))
  const blocks = [new TransactionIds(bytes), new TransactionIds(ids)].map((transactionIds) => ({
    header: { hash: 'ef'.repeat(32) },
    transactionIds,
  }))
  const page = { removedChainBlockHashes: [], addedChainBlockHashes: ['ef'.repeat(32)], blocks }
  const message = posted('getVirtualChainFromBlockV2', 'ids', page)
  if (message.kind !== 'ids') throw new Error('It is no list of ids')
  expect(message.page.blocks.map(({ transactionIds }) => transactionIds.toStrings())).toEqual([ids, ids])
})

it('columns keep rows, scripts and covenants', () => {
  const entry = {
    address: undefined,
    outpoint: { transactionId: 'ab'.repeat(32), index: 3 },
    amount: 2n ** 60n,
    scriptPublicKey: { version: 0, script: '51' },
    blockDaaScore: 7n,
    isCoinbase: true,
    covenantId: 'cd'.repeat(32),
  }
  const columns = toUtxoColumns([entry])
  const message = posted('getUtxosByAddresses', 'columns', columns)
  if (message.kind !== 'columns') throw new Error('These are no columns')
  expect(message.columns.next().value).toStrictEqual(columns)
})

it('an error keeps its facts and its texts', () => {
  const error = new ChainRpcError('submitTransaction', new ChainError('Rejected transaction: orphan'), {
    code: 'remote',
    hint: 'Wait.',
    argument: 'transaction',
  })
  const decoded = decodeError(structuredClone(encodeError(error, 'submitTransaction')))
  expect(Object.entries(decoded)).toEqual(Object.entries(error))
  expect([String(decoded), (decoded.cause as Error).message]).toEqual([String(error), (error.cause as Error).message])
})

it('a request is posted as a copy without proxies', () => {
  const request = { addresses: new Proxy(['a'], {}), limit: 5n }
  expect(structuredClone(toPlainRequest(new Proxy(request, {})))).toEqual({ addresses: ['a'], limit: 5n })
  expect(() => toPlainRequest({ then: () => undefined })).toThrow('The request has a value that no node understands')
})

it('about so many bytes are counted of a value', () => {
  expect(sizeOf({ a: 'x'.repeat(1_000), b: new Uint8Array(2_000), c: [1n, 2n] })).toBeGreaterThan(3_000)
})

it.each([
  null,
  'hello',
  { type: 'toString' },
  { type: 'hello', version: 1 },
  { type: 'hello', version: 1, lock: 'x'.repeat(5_000) },
  { type: 'call', connection: 1, id: 1n, method: 'shutdown now', format: 'record', request: {} },
  { type: 'call', connection: -1, id: 1n, method: 'ping', format: 'record', request: {} },
  { type: 'call', connection: 1, id: 1, method: 'ping', format: 'record', request: {} },
  {
    type: 'dial',
    connection: 1,
    network: 'simnet',
    url: 'ws://a',
    encoding: 'Text',
    maxFrameSize: 1,
    requestTimeout: 1,
  },
])('the worker drops what is none of its messages: %o', (data) => {
  expect(toWorkerMessage(data)).toBeUndefined()
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utxoEntry } from '../../src/node/messages/transactions.js'
import { methodEntry } from '../../src/node/messages/lookup.js'
import { methods } from '../../src/node/messages/lookup.js'
import { notifications } from '../../src/node/messages/notifications.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../src/node/messages/records.js'
import { createAddressCoder } from '../../src/wrpc/borsh/address-coder.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { Cursor, createHexText } from '../../src/wrpc/borsh/cursor.js'
import { createReaders as createBorshReaders } from '../../src/wrpc/borsh/read.js'
import { createScalarReaders } from '../../src/wrpc/borsh/scalars.js'
import { createWriters } from '../../src/wrpc/borsh/write.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { createReaders as createJsonReaders } from '../../src/wrpc/json/read.js'
import { createWriters as createJsonWriters } from '../../src/wrpc/json/write.js'
import { parseJson } from '../../src/wrpc/json/message-text.js'
import { ByteWriter } from '../../src/model/bytes.js'
import { valueOf } from './arbitrary.js'
import { runs } from '../full.js'

const RUNS = { numRuns: runs(60) }
const ids = fc.bigInt(0n, 2n ** 64n - 1n)
const names = Object.keys(methods) as RpcMethod[]
const codecs = [createBorshCodec(), createJsonCodec()]

describe.each(codecs)('any message, in $encoding', (codec) => {
  it.each(names)('a request of %s round-trips', (method) => {
    fc.assert(
      fc.property(ids, valueOf(methodEntry(method).request), (id, value) => {
        const request = value as never
        const decoded = codec.decodeRequest(codec.encodeRequest(id, method, request))
        expect(decoded).toEqual({ kind: 'request', id, method, request })
      }),
      RUNS,
    )
  })

  it.each(names)('a response to %s round-trips', (method) => {
    fc.assert(
      fc.property(ids, valueOf(methodEntry(method).response), (id, value) => {
        const response = value as never
        const message = codec.decodeMessage(codec.encodeResponse(id, method, response))
        expect(message).toEqual({ kind: 'response', id, method, response })
      }),
      RUNS,
    )
  })

  it.each(Object.keys(notifications) as NotificationType[])('%s round-trips', (type) => {
    fc.assert(
      fc.property(valueOf(notifications[type].data), (data) => {
        const notification = { type, data } as NodeNotification
        expect(codec.decodeMessage(codec.encodeNotification(notification))).toEqual({
          kind: 'notification',
          notification,
        })
      }),
      RUNS,
    )
  })
})

describe('the specialized readers of UTXO entries', () => {
  /** An equal shape that the general reader decodes. */
  const unknown = structuredClone(utxoEntry)

  it('equal the general reader in Borsh, for old and new nodes', () => {
    const readerOf = createBorshReaders(createScalarReaders(createAddressCoder()))
    const write = createWriters(createAddressCoder())(utxoEntry)
    fc.assert(
      fc.property(valueOf(utxoEntry), fc.boolean(), (entry, isOld) => {
        const bytes = new ByteWriter()
        write(bytes, entry, 'entry')
        const frame = isOld ? withoutCovenant(bytes.written()) : bytes.written()
        const [special, general] = [utxoEntry, unknown].map((shape) =>
          readerOf(shape)(new Cursor(frame, createHexText())),
        )
        expect(special).toEqual(general)
      }),
    )
  })

  it('equal the general reader in JSON', () => {
    const readerOf = createJsonReaders('node')
    const write = createJsonWriters('node')(utxoEntry)
    fc.assert(
      fc.property(valueOf(utxoEntry), (entry) => {
        const value = parseJson(write(entry, 'entry'))
        expect(readerOf(utxoEntry)(value)).toEqual(readerOf(unknown)(value))
      }),
    )
  })
})

/** An entry as encoded by nodes before 2.0: the UTXO's tag is 1, and surplus bytes are ignored. */
function withoutCovenant(frame: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const older = frame.slice()
  const addressLength = older[1] === 1 ? 6 + (older[4] ?? 0) : 0
  const utxo = 2 + addressLength + 4 + 37
  older[utxo + 4] = 1
  return older
}

import { describe, expect, it } from 'vitest'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { bytesOf, fixture, methodOf, textOf, toRecord, type RecordedCall } from './recorded.js'

const borsh = createBorshCodec()
const json = createJsonCodec()

const borshCalls = (fixture('node-2.1.0/borsh.json') as { calls: RecordedCall[] }).calls
const jsonCalls = (fixture('node-2.1.0/json.json') as { calls: RecordedCall[] }).calls

describe('a Borsh call recorded from kaspad 2.1.0', () => {
  it.each(borshCalls)('$name: the request decodes as recorded, and encodes to the same frame', (call) => {
    const decoded = borsh.decodeRequest(bytesOf(call.request))
    const request = toRecord(call.requestDecoded)
    expect(decoded).toEqual({ kind: 'request', id: expect.any(BigInt), method: methodOf(call.name), request })
    if (decoded.kind !== 'request') return
    expect(textOf(borsh.encodeRequest(decoded.id, decoded.method, decoded.request))).toBe(call.request)
  })

  it.each(borshCalls)('$name: the response decodes as recorded, and encodes to the same frame', (call) => {
    const message = borsh.decodeMessage(bytesOf(call.response))
    const response = toRecord(call.decoded)
    expect(message).toEqual({ kind: 'response', id: expect.any(BigInt), method: methodOf(call.name), response })
    if (message.kind !== 'response') return
    expect(textOf(borsh.encodeResponse(message.id, message.method, message.response))).toBe(call.response)
  })
})

describe('a JSON call recorded from kaspad 2.1.0', () => {
  it.each(jsonCalls)('$name: the request decodes, and round-trips in both encodings', (call) => {
    const decoded = json.decodeRequest(call.request)
    expect(decoded).toMatchObject({ kind: 'request', method: methodOf(call.name) })
    if (decoded.kind !== 'request') return
    expect(json.decodeRequest(json.encodeRequest(decoded.id, decoded.method, decoded.request))).toEqual(decoded)
    const inBorsh = borsh.encodeRequest(decoded.id, decoded.method, decoded.request)
    expect(borsh.decodeRequest(inBorsh)).toEqual(decoded)
  })

  it.each(jsonCalls)('$name: the response decodes as recorded, and encodes to the same frame', (call) => {
    const message = json.decodeMessage(call.response)
    expect(message).toMatchObject({ kind: 'response', method: methodOf(call.name) })
    if (message.kind !== 'response') return
    const recorded = call.decoded ?? borshCalls.find(({ name }) => name === call.name)?.decoded
    if (recorded !== undefined) expect(message.response).toEqual(toRecord(recorded))
    expect(json.encodeResponse(message.id, message.method, message.response)).toBe(call.response)
  })
})

import { describe, expect, it } from 'vitest'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { bytesOf, fixture, methodOf, textOf, toRecord, type RecordedCall } from './recorded.js'

const borsh = createBorshCodec()
const json = createJsonCodec()

const borshCalls = fixture<{ calls: RecordedCall[] }>('node-2.1.0/borsh.json').calls
const jsonCalls = fixture<{ calls: RecordedCall[] }>('node-2.1.0/json.json').calls

/** Forms that the recording client chose otherwise than we do; a node reads both. */
const decodedOf = (name: string): RecordedCall | undefined => borshCalls.find((call) => call.name === name)

describe('a Borsh call recorded from kaspad 2.1.0', () => {
  it.each(borshCalls)('$name: its request reads as recorded, and is written as it was sent', (call) => {
    const decoded = borsh.decodeRequest(bytesOf(call.request))
    expect(decoded).toMatchObject({ kind: 'request', method: methodOf(call.name) })
    if (decoded.kind !== 'request') return
    expect(decoded.request).toEqual(requestRecord(call))
    expect(textOf(borsh.encodeRequest(decoded.id, decoded.method, decoded.request))).toBe(call.request)
  })

  it.each(borshCalls)('$name: its answer reads as recorded, and is written as the node wrote it', (call) => {
    const message = borsh.decodeMessage(bytesOf(call.response))
    expect(message).toMatchObject({ kind: 'response', method: methodOf(call.name) })
    if (message.kind !== 'response') return
    expect(message.response).toEqual(toRecord(call.decoded))
    expect(textOf(borsh.encodeResponse(message.id, message.method, message.response))).toBe(call.response)
  })
})

describe('a JSON call recorded from kaspad 2.1.0', () => {
  it.each(jsonCalls)('$name: its request reads as the same request in Borsh', (call) => {
    const decoded = json.decodeRequest(call.request)
    expect(decoded).toMatchObject({ kind: 'request', method: methodOf(call.name) })
    if (decoded.kind !== 'request') return
    const again = json.decodeRequest(json.encodeRequest(decoded.id, decoded.method, decoded.request))
    expect(again).toEqual(decoded)
  })

  it.each(jsonCalls)('$name: its answer reads as recorded, and is written as the node wrote it', (call) => {
    const message = json.decodeMessage(call.response)
    expect(message).toMatchObject({ kind: 'response', method: methodOf(call.name) })
    if (message.kind !== 'response') return
    const recorded = toRecord(call.decoded ?? decodedOf(call.name)?.decoded)
    if (recorded !== undefined) expect(message.response).toEqual(recorded)
    expect(json.encodeResponse(message.id, message.method, message.response)).toBe(call.response)
  })
})

function requestRecord(call: RecordedCall): unknown {
  return toRecord(call.requestDecoded)
}

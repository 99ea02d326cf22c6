import { describe, expect, it } from 'vitest'
import type { RpcMethod } from '../../src/node/messages/records.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { bytesOf, fixture, methodOf, textOf, toRecord, type RecordedCall } from './recorded.js'

interface Recording {
  readonly calls: readonly (RecordedCall & { readonly responseDecoded?: string })[]
  readonly notifications: readonly { readonly name: string; readonly frame: string }[]
}

type Plain = Readonly<Record<string, unknown>>

const borsh = createBorshCodec()
const json = createJsonCodec()

const inBorsh = fixture('wrpc/borsh-0.15.2.json') as Recording
const inJson = fixture('wrpc/json-0.15.2.json') as Recording
const seen = fixture('wrpc/js-values-0.15.2.json') as {
  results: Readonly<Record<string, unknown>>
  events: readonly { type: string; data: unknown }[]
}

/** Requests with a field added in 2.x: we encode it, and older nodes skip it. */
const hasNewerField = ({ name }: { name: string }): boolean => /submitTransaction|getVirtualChain/.test(name)

/** Calls whose result the SDK returns unchanged; it wraps submitted transactions in its own objects. */
const isUnchanged = ({ name }: { name: string }): boolean => name in seen.results && !name.startsWith('submit')

const isSuccess = ({ name }: { name: string }): boolean => !name.startsWith('error:')

describe('a request of the SDK 0.15.2', () => {
  it.each(inBorsh.calls.filter((call) => !hasNewerField(call) && isSuccess(call)))(
    '$name encodes to the same frame in Borsh',
    (call) => {
      const decoded = borsh.decodeRequest(bytesOf(call.request))
      expect(decoded).toMatchObject({ kind: 'request', method: methodOf(call.name) })
      if (decoded.kind !== 'request') return
      expect(textOf(borsh.encodeRequest(decoded.id, decoded.method, decoded.request))).toBe(call.request)
    },
  )

  it.each(inJson.calls)('$name encodes to the same frame in JSON', (call) => {
    const decoded = json.decodeRequest(call.request)
    expect(decoded).toMatchObject({ kind: 'request' })
    if (decoded.kind !== 'request') return
    expect(json.encodeRequest(decoded.id, decoded.method, decoded.request)).toBe(call.request)
  })

  it.each(inBorsh.calls.filter(hasNewerField))('$name decodes to the same record as our frame in Borsh', (call) => {
    const decoded = borsh.decodeRequest(bytesOf(call.request))
    expect(decoded).toMatchObject({ kind: 'request' })
    if (decoded.kind !== 'request') return
    const ours = borsh.decodeRequest(borsh.encodeRequest(decoded.id, decoded.method, decoded.request))
    expect(toRecord(withoutBudget(ours))).toEqual(toRecord(decoded))
  })
})

describe('a response to the SDK 0.15.2', () => {
  it.each(inBorsh.calls.filter(isUnchanged))('$name decodes in both encodings to the value in JavaScript', (call) => {
    const text = inJson.calls.find(({ name }) => name === call.name)?.response ?? ''
    const response = toRecord(asRecorded(seen.results[call.name]))
    expect(borsh.decodeMessage(bytesOf(call.response))).toEqual({
      kind: 'response',
      id: expect.any(BigInt),
      method: call.name,
      response,
    })
    expect(json.decodeMessage(text)).toMatchObject({ method: call.name, response })
  })

  it.each(inBorsh.notifications.map((event, at) => ({ ...event, at })))(
    '$name decodes to the value in JavaScript',
    ({ frame, at }) => {
      const { type, data } = seen.events[at] ?? {}
      const notification = { type, data: toRecord(asRecorded(data)) }
      expect(borsh.decodeMessage(bytesOf(frame))).toEqual({ kind: 'notification', notification })
      expect(json.decodeMessage(inJson.notifications[at]?.frame ?? '')).toEqual({ kind: 'notification', notification })
    },
  )

  it('decodes without a method by the method of its request', () => {
    const response = inBorsh.calls.find(({ name }) => name === 'getSink')?.response ?? ''
    const withoutOp = response.slice(0, 20) + '00' + response.slice(24)
    expect(borsh.decodeMessage(bytesOf(withoutOp))).toMatchObject({ kind: 'malformed', id: expect.any(BigInt) })
    const methodOfCall = (): RpcMethod => 'getSink'
    expect(borsh.decodeMessage(bytesOf(withoutOp), methodOfCall)).toMatchObject({ kind: 'response', method: 'getSink' })
  })
})

/** A JavaScript value in the form of the other recordings: class instances as plain data, bigints as text. */
function asRecorded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asRecorded)
  if (typeof value !== 'object' || value === null) return value
  const marked = value as Plain
  if ('$bigint' in marked) return marked.$bigint
  if ('$undefined' in marked) return null
  if ('$string' in marked) return marked.$string
  if (marked.$class === 'Hash') return marked.value
  const { $class: _, ...fields } = (marked.$class === 'UtxoEntryReference' ? marked.entry : marked) as Plain
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, asRecorded(field)]))
}

/** A compute budget of 0 equals an absent one. */
function withoutBudget(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBudget)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name, field]) => name !== 'computeBudget' || field !== 0)
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutBudget(field)]))
}

import { describe, expect, it } from 'vitest'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { bytesOf, fixture, methodOf, textOf, toRecord, type RecordedCall } from './recorded.js'

interface RecordedEvent {
  readonly event: string
  readonly frame?: string
  readonly decoded?: unknown
}

interface Scenario {
  readonly name: string
  readonly borsh: readonly RecordedEvent[]
  readonly json: readonly RecordedEvent[]
}

const borsh = createBorshCodec()
const json = createJsonCodec()

const recorded = fixture('node-2.1.0/notifications.json') as {
  subscriptions: (RecordedCall & { encoding: string })[]
  scenarios: Scenario[]
}
const reorg = fixture('node-2.1.0/reorg.json') as { borsh: RecordedEvent[]; json: RecordedEvent[] }
const scenarios: Scenario[] = [...recorded.scenarios, { name: 'a reorg', ...reorg }]

const framesOf = (events: readonly RecordedEvent[]): { event: string; frame: string; decoded?: unknown }[] =>
  events.flatMap(({ frame, ...event }) => (frame === undefined ? [] : [{ frame, ...event }]))

describe.each(scenarios)('notifications of kaspad 2.1.0: $name', (scenario) => {
  it('decode in Borsh as recorded, and encode to the same frame', () => {
    for (const { frame, decoded } of framesOf(scenario.borsh)) {
      const message = borsh.decodeMessage(bytesOf(frame))
      expect(message).toMatchObject({ kind: 'notification', notification: { data: toRecord(decoded) } })
      if (message.kind === 'notification') expect(textOf(borsh.encodeNotification(message.notification))).toBe(frame)
    }
  })

  it('decode in JSON as in Borsh, and encode to the same frame', () => {
    for (const { event, frame } of framesOf(scenario.json)) {
      const message = json.decodeMessage(frame)
      expect(message).toMatchObject({ kind: 'notification' })
      if (message.kind !== 'notification') return
      expect(json.encodeNotification(message.notification)).toBe(frame)
      expect(borsh.decodeMessage(borsh.encodeNotification(message.notification))).toEqual(message)
      expect(frame).toContain(`"${event}"`)
    }
  })
})

describe('a subscription recorded from kaspad 2.1.0', () => {
  it.each(recorded.subscriptions)('$name ($encoding) decodes and encodes byte for byte', (call) => {
    const codec = call.encoding === 'borsh' ? borsh : json
    const frame = (text: string): string | Uint8Array<ArrayBuffer> => (codec === borsh ? bytesOf(text) : text)
    const request = codec.decodeRequest(frame(call.request))
    expect(request).toMatchObject({ kind: 'request', method: methodOf(call.name) })
    if (request.kind !== 'request') return
    expect(textOf(codec.encodeRequest(request.id, request.method, request.request))).toBe(call.request)
    const reply = codec.decodeMessage(frame(call.response))
    expect(reply).toMatchObject({ kind: 'response', method: methodOf(call.name) })
    if (reply.kind === 'response' && call.decoded !== undefined) expect(reply.response).toEqual(toRecord(call.decoded))
    if (reply.kind === 'response') {
      expect(textOf(codec.encodeResponse(reply.id, reply.method, reply.response))).toBe(call.response)
    }
  })
})

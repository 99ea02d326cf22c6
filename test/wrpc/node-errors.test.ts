import { describe, expect, it } from 'vitest'
import type { DecodedRequest, Frame } from '../../src/wrpc/codec.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'
import { serverError, textError } from '../../src/wrpc/wire-errors.js'
import { bytesOf, fixture, methodOf, textOf, toRecord } from './recorded.js'

interface Exchange {
  readonly request?: string
  readonly response: string
}

interface ErrorReply {
  readonly name: string
  readonly text: string
  readonly borsh?: Exchange
  readonly json?: Exchange
}

interface Malformed {
  readonly name: string
  readonly encoding: 'borsh' | 'json'
  readonly request: string
  readonly requestKind: 'text' | 'binary'
  readonly responses: readonly string[]
  readonly closed: unknown
}

const borsh = createBorshCodec()
const json = createJsonCodec()
const recorded = fixture('node-2.1.0/errors.json') as {
  applicationErrors: ErrorReply[]
  restrictedNode: ErrorReply[]
  rejectedBlocks: { name: string; decoded: unknown; json: Exchange; borsh: Exchange }[]
  malformed: Malformed[]
}

/** Errors of requests sent twice: the first connection, JSON, received another reply than the recorded one. */
const FIRST_IN_JSON = ['submitTransaction:already accepted', 'submitTransaction:payload of 130000 bytes']

const errorReplies = [...recorded.applicationErrors, ...recorded.restrictedNode]

describe('an application error of kaspad 2.1.0', () => {
  it.each(errorReplies.filter(({ name, json: exchange }) => exchange && !FIRST_IN_JSON.includes(name)))(
    '$name decodes to its message in JSON',
    (reply) => {
      const { response = '' } = reply.json ?? {}
      const message = json.decodeMessage(response)
      expect(message).toEqual({ kind: 'error', id: expect.any(BigInt), error: textError(reply.text) })
      if (message.kind !== 'error') return
      expect(json.encodeError(message.id, methodOfError(reply), message.error)).toBe(response)
    },
  )

  it.each(errorReplies)('$name decodes to its message in Borsh', (reply) => {
    const { response = '' } = reply.borsh ?? {}
    const message = borsh.decodeMessage(bytesOf(response))
    expect(message).toEqual({ kind: 'error', id: expect.any(BigInt), error: textError(reply.text) })
    if (message.kind !== 'error') return
    expect(textOf(borsh.encodeError(message.id, methodOfError(reply), message.error))).toBe(response)
  })

  it.each(recorded.rejectedBlocks)('$name is a report, not an error', ({ decoded, json: text, borsh: bytes }) => {
    expect(json.decodeMessage(text.response)).toMatchObject({ kind: 'response', response: toRecord(decoded) })
    expect(borsh.decodeMessage(bytesOf(bytes.response))).toMatchObject({ response: toRecord(decoded) })
  })
})

describe('a malformed or unusual request to kaspad 2.1.0', () => {
  const small = recorded.malformed.filter(({ request }) => !request.includes('…'))

  it.each(small)('$encoding: $name has the same result here', (example) => {
    const codec = example.encoding === 'borsh' ? borsh : json
    expect(resultOf(codec.decodeRequest(frameOf(example)))).toBe(recordedResult(example))
  })

  it.each(small.filter(({ responses }) => responses.length === 1))(
    '$encoding: $name gets the same reply',
    (example) => {
      const codec = example.encoding === 'borsh' ? borsh : json
      const decoded = codec.decodeRequest(frameOf(example))
      const [response = ''] = example.responses
      if (decoded.kind === 'unserved') expect(errorFrame(decoded.id, decoded.method, 'not-found')).toBe(response)
      if (decoded.kind === 'unreadable')
        expect(errorFrame(decoded.id, decoded.method, 'unreadable-request')).toBe(response)

      function errorFrame(id: bigint, method: string, kind: 'not-found' | 'unreadable-request'): string {
        return textOf(codec.encodeError(id, method, serverError(kind)))
      }
    },
  )
})

function frameOf({ request, requestKind, encoding }: Malformed): Frame {
  if (requestKind === 'text') return encoding === 'borsh' && /^[0-9a-f]+$/.test(request) ? bytesOf(request) : request
  return bytesOf(request)
}

/** The method in `safe mode: estimateNetworkHashesPerSecond 10001`. */
const methodOfError = ({ name }: ErrorReply): string => methodOf(name.replace(/^[^:]*: /, '').replace(/ .*/, ''))

type Result = 'dropped' | 'ignored' | 'not found' | 'unreadable' | 'executed'

function recordedResult({ responses: [response], closed }: Malformed): Result {
  if (closed !== null) return 'dropped'
  if (response === undefined) return 'ignored'
  if (/010003$|RPC method not found/.test(response)) return 'not found'
  return /010009$|request deserialization error/.test(response) ? 'unreadable' : 'executed'
}

function resultOf({ kind }: DecodedRequest): Result {
  const results = { fatal: 'dropped', ignored: 'ignored', unserved: 'not found', unreadable: 'unreadable' } as const
  return kind === 'request' ? 'executed' : results[kind]
}

describe('an error of the RPC server', () => {
  const kinds = ['timeout', 'no-data', 'not-found', 'poisoned', 'not-borsh', 'not-serde', 'unreadable-request'] as const

  it.each(kinds)('"%s" round-trips in both encodings', (kind) => {
    for (const codec of [borsh, json]) {
      const message = codec.decodeMessage(codec.encodeError(7n, 'getSink', serverError(kind)))
      expect(message).toMatchObject({ kind: 'error', id: 7n, error: { message: serverError(kind).message } })
    }
    expect(borsh.decodeMessage(borsh.encodeError(7n, 'getSink', serverError(kind)))).toMatchObject({ error: { kind } })
  })

  it.each([10, 11, 13, 14])('variant %d carries a message', (variant) => {
    const message = '0200000068 69'.replace(' ', '')
    const frame = bytesOf(`0107000000000000000100${variant.toString(16).padStart(2, '0')}${message}`)
    expect(borsh.decodeMessage(frame)).toEqual({ kind: 'error', id: 7n, error: textError('hi') })
  })

  it.each([8, 12, 15, 16, 99])('variant %d without a message is reported by its number', (variant) => {
    const frame = bytesOf(`0107000000000000000100${variant.toString(16).padStart(2, '0')}`)
    expect(borsh.decodeMessage(frame)).toEqual({ kind: 'error', id: 7n, error: textError(`server error ${variant}`) })
  })
})

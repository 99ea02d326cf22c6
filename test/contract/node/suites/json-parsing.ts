import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { NodeUnderTest } from '../support/node-under-test.js'

const UNKNOWN = 'ee'.repeat(32)
const UNREADABLE = '"error":{"code":0,"message":"request deserialization error","data":null}'
const NO_HEADER = `"error":{"code":0,"message":"cannot find header ${UNKNOWN}","data":null}`

const request = (method: string, params: string) => `{"id":7,"method":"${method}","params":${params}}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A request and the end of its response; `dropped` where the node closes the connection without one. */
type Case = readonly [title: string, frame: string, responseEnd: string]

const CASES: readonly Case[] = [
  ['an integer with a decimal point', request('estimateNetworkHashesPerSecond', '{"windowSize":1000.0}'), UNREADABLE],
  ['an integer with an exponent', request('getDaaScoreTimestampEstimate', '{"daaScores":[1e2]}'), UNREADABLE],
  ['a fraction in an unknown field', request('ping', '{"x":1.5e3}'), '"params":{}'],
  ['a list longer than the fields', request('getBlock', `["${UNKNOWN}",false,1]`), UNREADABLE],
  ['a list with an element for a method without fields', request('ping', '[{}]'), UNREADABLE],
  ['a hash with an extra byte', request('getBlock', `{"hash":"${UNKNOWN}ab","includeTransactions":false}`), NO_HEADER],
  [
    'a hash with an extra hex digit',
    request('getBlock', `{"hash":"${UNKNOWN}a","includeTransactions":false}`),
    UNREADABLE,
  ],
  [
    'a verbosity as a record',
    request('getVirtualChainFromBlockV2', `{"startHash":"${UNKNOWN}","dataVerbosityLevel":{"Low":null}}`),
    NO_HEADER,
  ],
  ['a scope with a list for its fields', request('unsubscribe', '{"UtxosChanged":[[]]}'), '"params":{}'],
  ['a number out of range', request('ping', '{"x":1e999}'), 'dropped'],
  ['half a surrogate pair', request('ping', '{"x":"\\ud800"}'), 'dropped'],
  ['a surrogate pair in two escapes', request('ping', '{"x":"\\ud83d\\ude00"}'), '"params":{}'],
  ['params at the nesting limit', request('ping', `{"x":${nested(125)}}`), '"params":{}'],
  ['params one level above the nesting limit', request('ping', `{"x":${nested(126)}}`), 'dropped'],
  ['an id with a decimal point', '{"id":7.0,"method":"ping","params":{}}', 'dropped'],
  ['minus zero as id', '{"id":-0,"method":"ping","params":{}}', 'dropped'],
  ['duplicate ids', '{"id":7,"id":7,"method":"ping","params":{}}', 'dropped'],
  ['duplicate methods', '{"id":7,"method":"ping","method":"ping","params":{}}', 'dropped'],
  ['duplicate params', '{"id":7,"method":"ping","params":{},"params":{}}', 'dropped'],
  [
    'a duplicate field: the last one counts',
    request('getBlock', `{"hash":"x","hash":"${UNKNOWN}","includeTransactions":false}`),
    NO_HEADER,
  ],
  ['a byte order mark', `\ufeff${request('ping', '{}')}`, 'dropped'],
]

/** Strictness of the JSON parser of a node. */
export function jsonParsing(node: NodeUnderTest): void {
  if (node.encoding !== 'SerdeJson') return
  describe('JSON with', () => {
    it.each(CASES)('%s', async (_, frame, expected) => {
      const reply = await send(node, frame)
      if (expected === 'dropped') expect(reply).toBe('dropped')
      else expect(reply.endsWith(`,${expected}}`) ? expected : reply).toBe(expected)
    })
  })
}

/** The response to a frame on a separate connection, or `dropped`. */
async function send(node: NodeUnderTest, frame: string): Promise<string> {
  const socket = new WebSocket(node.url)
  await once(socket, 'open')
  const dropped = once(socket, 'close').then(() => 'dropped')
  const replied = new Promise<string>((resolve) => {
    socket.once('message', (data: Buffer) => resolve(data.toString('utf8')))
  })
  socket.send(frame)
  const reply = await Promise.race([replied, dropped])
  socket.terminate()
  return reply
}

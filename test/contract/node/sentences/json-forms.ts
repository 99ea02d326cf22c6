import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { NodeUnderTest } from '../support/node-under-test.js'

const UNKNOWN = 'ee'.repeat(32)
const UNREADABLE = '"error":{"code":0,"message":"request deserialization error","data":null}'
const NO_HEADER = `"error":{"code":0,"message":"cannot find header ${UNKNOWN}","data":null}`

const request = (method: string, params: string) => `{"id":7,"method":"${method}","params":${params}}`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** A request, and what the answer ends with; `dropped` where there is none and the connection ends. */
type Case = readonly [title: string, frame: string, answer: string]

const CASES: readonly Case[] = [
  ['a whole number with a point', request('estimateNetworkHashesPerSecond', '{"windowSize":1000.0}'), UNREADABLE],
  ['a whole number with an exponent', request('getDaaScoreTimestampEstimate', '{"daaScores":[1e2]}'), UNREADABLE],
  ['a fraction that nobody asked for', request('ping', '{"x":1.5e3}'), '"params":{}'],
  ['a list with more than the fields', request('getBlock', `["${UNKNOWN}",false,1]`), UNREADABLE],
  ['a list with something, for no fields', request('ping', '[{}]'), UNREADABLE],
  [
    'a hash with more than its digits',
    request('getBlock', `{"hash":"${UNKNOWN}ab","includeTransactions":false}`),
    NO_HEADER,
  ],
  [
    'a hash with half a byte more',
    request('getBlock', `{"hash":"${UNKNOWN}a","includeTransactions":false}`),
    UNREADABLE,
  ],
  [
    'a verbosity as a record',
    request('getVirtualChainFromBlockV2', `{"startHash":"${UNKNOWN}","dataVerbosityLevel":{"Low":null}}`),
    NO_HEADER,
  ],
  ['a scope with a list for its fields', request('unsubscribe', '{"UtxosChanged":[[]]}'), '"params":{}'],
  ['a number beyond all bounds', request('ping', '{"x":1e999}'), 'dropped'],
  ['half a character', request('ping', '{"x":"\\ud800"}'), 'dropped'],
  ['a character in two halves', request('ping', '{"x":"\\ud83d\\ude00"}'), '"params":{}'],
  ['params as deep as a node reads', request('ping', `{"x":${nested(125)}}`), '"params":{}'],
  ['params a level deeper', request('ping', `{"x":${nested(126)}}`), 'dropped'],
  ['an id with a point', '{"id":7.0,"method":"ping","params":{}}', 'dropped'],
  ['minus nothing for an id', '{"id":-0,"method":"ping","params":{}}', 'dropped'],
  ['two ids', '{"id":7,"id":7,"method":"ping","params":{}}', 'dropped'],
  ['two methods', '{"id":7,"method":"ping","method":"ping","params":{}}', 'dropped'],
  ['params twice', '{"id":7,"method":"ping","params":{},"params":{}}', 'dropped'],
  [
    'a field twice: the last counts',
    request('getBlock', `{"hash":"x","hash":"${UNKNOWN}","includeTransactions":false}`),
    NO_HEADER,
  ],
  ['a mark of byte order', `\ufeff${request('ping', '{}')}`, 'dropped'],
]

/** How strictly a node reads JSON. */
export function jsonForms(node: NodeUnderTest): void {
  if (node.encoding !== 'SerdeJson') return
  describe('JSON with', () => {
    it.each(CASES)('%s', async (_, frame, answer) => {
      const heard = await send(node, frame)
      if (answer === 'dropped') expect(heard).toBe('dropped')
      else expect(heard.endsWith(`,${answer}}`) ? answer : heard).toBe(answer)
    })
  })
}

/** The answer to a frame sent on a connection of its own, or `dropped`. */
async function send(node: NodeUnderTest, frame: string): Promise<string> {
  const socket = new WebSocket(node.url)
  await once(socket, 'open')
  const dropped = once(socket, 'close').then(() => 'dropped')
  const answered = new Promise<string>((resolve) => {
    socket.once('message', (data: Buffer) => resolve(data.toString('utf8')))
  })
  socket.send(frame)
  const heard = await Promise.race([answered, dropped])
  socket.terminate()
  return heard
}

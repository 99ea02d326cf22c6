import { describe, expect, it } from 'vitest'
import { toEvent } from '../../../../../src/adapters/vue/devtools/timeline.js'
import { toEndpoint, toRestPath } from '../../../../../src/engine/recorder/masks.js'
import type { FlightRecord } from '../../../../../src/engine/recorder/recorder.js'

const at = 1_700_000_000_000
const endpoint = toEndpoint('wss://node.example:17110')
const path = toRestPath('/info/blockdag')

/** Record, title, subtitle, severity. */
const ROWS: readonly (readonly [FlightRecord, string, string, string])[] = [
  [
    { at, type: 'connection', status: 'connected', endpoint, attempt: 0, reason: null },
    'connected',
    'wss://node.example:17110',
    'default',
  ],
  [
    { at, type: 'connection', status: 'reconnecting', endpoint: null, attempt: 1, reason: 'connection-lost' },
    'reconnecting',
    'connection-lost',
    'warning',
  ],
  [
    { at, type: 'connection', status: 'error', endpoint: null, attempt: 3, reason: 'connect-failed' },
    'error',
    'connect-failed',
    'error',
  ],
  [{ at, type: 'dial', endpoint, encoding: 'Borsh' }, 'dial', 'wss://node.example:17110', 'default'],
  [{ at, type: 'resolver', ms: 4, outcome: 'timeout', endpoint: null }, 'resolver', 'timeout', 'error'],
  [{ at, type: 'environment', change: 'hidden' }, 'hidden', '', 'default'],
  [{ at, type: 'timer', late: 900.4 }, 'late timer', '900 ms', 'warning'],
  [{ at, type: 'wasm', status: 'ready' }, 'WASM ready', '', 'default'],
  [{ at, type: 'wasm', status: 'error' }, 'WASM error', '', 'error'],
  [{ at, type: 'payment', phase: 'submitted', transactionId: 'ab' }, 'submitted', 'ab', 'default'],
  [{ at, type: 'payment', phase: 'evicted', transactionId: 'ab' }, 'evicted', 'ab', 'error'],
  [{ at, type: 'wallet', operation: 'connect', ms: 12.3, outcome: 'rejected' }, 'connect', 'rejected, 12 ms', 'error'],
  [
    { at, type: 'rest', method: 'GET', path, status: 200, ms: 8, source: 'server', outcome: 'ok' },
    'GET /info/blockdag',
    '200, 8 ms',
    'default',
  ],
  [
    { at, type: 'rest', method: 'GET', path, status: null, ms: 0, source: 'cache', outcome: 'ok' },
    'GET /info/blockdag',
    'from the cache',
    'default',
  ],
  [
    { at, type: 'rest', method: 'GET', path, status: 503, ms: 8, source: 'server', outcome: 'http' },
    'GET /info/blockdag',
    'http, 8 ms',
    'error',
  ],
  [
    { at, type: 'call', method: 'getSink', ms: 3.4, sent: 10, received: 20, outcome: 'ok' },
    'getSink',
    'ok, 3 ms',
    'default',
  ],
  [{ at, type: 'backfill', method: 'getBlocks', blocks: 7 }, 'backfill', '7 blocks by getBlocks', 'default'],
  [{ at, type: 'notification', notification: 'block-added', bytes: 9, count: 2 }, 'block-added', '2', 'default'],
  [{ at, type: 'utxos', from: 'snapshot', addresses: 1, added: 3, removed: 2 }, 'UTXO snapshot', '+3 −2', 'default'],
  [{ at, type: 'rollback', blocks: 2 }, 'rollback', '2 blocks', 'warning'],
  [{ at, type: 'gap', stream: 'blocks' }, 'gap', 'blocks', 'warning'],
]

describe('an event of the timeline', () => {
  it.each(ROWS.map(([record, ...shown]) => [record.type, shown[0], record, shown] as const))(
    'of a %s record has title "%s", subtitle, severity, time and the other fields',
    (_, __, record, [title, subtitle, logType]) => {
      const { at: time, type: ___, ...data } = record
      expect(toEvent(record)).toEqual({ time, title, subtitle, logType, data })
    },
  )
})

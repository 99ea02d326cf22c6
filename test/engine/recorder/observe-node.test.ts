import { NEVER, asyncScheduler, firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { observeNode } from '../../../src/engine/recorder/observe-node.js'
import type { FlightRecord } from '../../../src/engine/recorder/recorder.js'
import { toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import type { NodeConnection } from '../../../src/node/port.js'
import { ALICE, utxo } from '../../streams/utxos/utxo-fixtures.js'

const endpoint = { url: 'ws://node.example', encoding: 'Borsh' } as const

/** A connection without responses to calls. */
const bare: NodeConnection = {
  endpoint,
  call: () => NEVER,
  notifications$: NEVER,
  closed$: NEVER,
  close: () => undefined,
}

/** The connection as a recorder observes it, and the records. */
async function observe(connection: NodeConnection) {
  const records: FlightRecord[] = []
  const node = observeNode(
    { dial: () => of(connection) },
    {
      meter: { sent: null, received: null, socket: null },
      record: (one) => records.push(one),
      now: () => 7,
      scheduler: asyncScheduler,
      pending: { count: 0 },
    },
  )
  return { records, observed: await firstValueFrom(node.dial(endpoint)) }
}

describe('an observed connection', () => {
  it('records a request of columns as a call, and returns the columns', async () => {
    const columns = toUtxoColumns([utxo(1)])
    if (columns === undefined) throw new Error('The entry does not fit')
    const { observed, records } = await observe({ ...bare, utxoColumns: () => of(columns) })
    const columns$ = observed.utxoColumns?.([ALICE]) ?? NEVER
    expect(await firstValueFrom(columns$)).toBe(columns)
    expect(records.at(-1)).toMatchObject({ type: 'call', method: 'getUtxosByAddresses', outcome: 'ok' })
  })

  it('records a request of accepted ids as a call and a backfill, and returns the ids', async () => {
    const ids = { removedChainBlockHashes: [], addedChainBlockHashes: ['a', 'b'], blocks: [] }
    const { observed, records } = await observe({ ...bare, chainIds: () => of(ids) })
    const ids$ = observed.chainIds?.({ startHash: '' }) ?? NEVER
    expect(await firstValueFrom(ids$)).toBe(ids)
    expect(records.slice(1)).toMatchObject([
      { type: 'call', method: 'getVirtualChainFromBlockV2', outcome: 'ok' },
      { type: 'backfill', method: 'getVirtualChainFromBlockV2', blocks: 2 },
    ])
  })

  it('records a request of chain blocks as a call, and returns the blocks', async () => {
    const page = { removedChainBlockHashes: [], addedChainBlockHashes: [], blocks: [] }
    const { observed, records } = await observe({ ...bare, chainBlocks: () => of(page) })
    const page$ = observed.chainBlocks?.({ startHash: '' }) ?? NEVER
    expect(await firstValueFrom(page$)).toBe(page)
    expect(records[1]).toMatchObject({ type: 'call', method: 'getVirtualChainFromBlockV2', outcome: 'ok' })
  })

  it('has no columns, ids and blocks where the connection has none', async () => {
    const { utxoColumns, chainIds, chainBlocks } = (await observe(bare)).observed
    expect([utxoColumns, chainIds, chainBlocks]).toEqual([undefined, undefined, undefined])
  })
})

import { VirtualTimeScheduler } from 'rxjs'
import { expect, it } from 'vitest'
import { MAX_FRUITLESS, createHistoryPages, type IndexerPage } from '../../../../src/streams/transfers/history/pages.js'
import {
  NO_HISTORIES,
  reduceHistories,
  type HistoriesEvent,
} from '../../../../src/streams/transfers/history/reduce-histories.js'
import { createTestPlatform } from '../../../../src/testing/platform.js'
import { ALICE } from '../../utxos/utxo-fixtures.js'

/** The pages of an address without transactions; the indexer says of each that an older one follows. */
function readEmptyPages() {
  let histories = reduceHistories(NO_HISTORIES, { type: 'added', addresses: [ALICE] })
  const store = {
    state: () => histories,
    dispatch: (event: HistoriesEvent) => void (histories = reduceHistories(histories, event)),
  }
  const read: (number | undefined)[] = []
  const readPage = (_: string, __: number, before?: number): Promise<IndexerPage> => {
    read.push(before)
    const page = { rows: [], before: (before ?? 1_000) - 1 }
    return read.length > 5 * MAX_FRUITLESS ? new Promise(() => undefined) : Promise.resolve(page)
  }
  const platform = createTestPlatform({ scheduler: new VirtualTimeScheduler() })
  const pages = createHistoryPages(readPage, { platform }, store)
  const needs = { addresses: new Set([ALICE]), limit: 20, shown: 20 }
  return { read, history: () => histories.byAddress.get(ALICE), more: () => pages.read(needs) }
}

it('reads no pages without end where an indexer sends empty ones, and continues there', async () => {
  const { read, history, more } = readEmptyPages()
  more()
  await expect.poll(() => history()?.error?.code).toBe('unexpected-response')
  expect([read.length, history()?.before]).toEqual([MAX_FRUITLESS, 1_000 - MAX_FRUITLESS])
  more()
  await expect.poll(() => history()?.before).toBe(1_000 - 2 * MAX_FRUITLESS)
  expect(read).toHaveLength(2 * MAX_FRUITLESS)
})

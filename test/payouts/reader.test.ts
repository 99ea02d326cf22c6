import { NEVER } from 'rxjs'
import { expect, it } from 'vitest'
import { createReader } from '../../src/payouts/reader.js'
import { memoryJournal } from '../../src/payouts/stores/memory-journal.js'
import type { JournalAccess } from '../../src/streams/payouts/journal.js'

it('ends its events where the signal is aborted while the journal is read, without waiting for a change', async () => {
  const controller = new AbortController()
  const access: JournalAccess = {
    ...memoryJournal().access({ network: 'simnet', name: 'reader' }),
    events: () => {
      controller.abort()
      return Promise.resolve([])
    },
  }
  const events = createReader(access, NEVER).events({ signal: controller.signal })
  expect(await events[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined })
})

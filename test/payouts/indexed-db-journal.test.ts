import { describe, expect, it } from 'vitest'
import { SessionDropped } from '../../src/errors/payout-error.js'
import { attemptOf, newAttempt, outpointOf, updateOf } from '../../src/payouts/testing/journal-fixtures.js'
import { toPromise } from '../../src/platform/indexed-database.js'
import { createIndexedDbJournal, indexedDbJournal } from '../../src/payouts/stores/indexed-db-journal.js'
import { journalTests } from '../../src/payouts/testing/wallet-tests.js'
import { failRequest } from './support/failing-requests.js'
import { createFakeOrigin } from '../platform/fake-tabs.js'

const scope = { network: 'mainnet', name: 'wallet' } as const
const request = { id: 'a', address: 'address', amount: 5n, notBefore: null }

describe('the journal in IndexedDB', () => {
  const origin = createFakeOrigin()
  for (const { name, run } of journalTests(() => createIndexedDbJournal(origin.open().tabs))) it(name, run)
})

it('is refused where tabs share nothing', async () => {
  const journal = indexedDbJournal() // in Node
  await expect(journal.access(scope).add(request)).rejects.toMatchObject({ code: 'unsupported' })
  await expect(journal.open(scope, new AbortController().signal)).rejects.toMatchObject({ code: 'unsupported' })
})

it('refuses names that are none', () => {
  expect(() => indexedDbJournal({ name: 'a/b' })).toThrow('"a/b" is no name of a journal')
})

const open = (name: string, origin = createFakeOrigin()) => {
  const tab = origin.open()
  const journal = createIndexedDbJournal(tab.tabs, name)
  return { ...tab, origin, journal, access: journal.access(scope) }
}

it('refuses a database of a newer release, and writes nothing', async () => {
  const { origin, journal, access } = open('newer')
  await access.add(request)
  const newer = await toPromise(upgraded(origin.databases.open('vue-chain/payouts/newer', 2)))
  const refused = { name: 'PayoutError', code: 'schema-newer', hint: 'Load the page again.' }
  await expect(access.add({ ...request, id: 'b' })).rejects.toMatchObject(refused)
  const session = await journal.open(scope, new AbortController().signal)
  await expect(session.write({ isOnHold: true })).rejects.toMatchObject(refused)
  expect(await toPromise(newer.transaction('payouts').objectStore('payouts').count())).toBe(1)
  expect(await toPromise(newer.transaction('wallets').objectStore('wallets').count())).toBe(0)
})

const upgraded = (request: IDBOpenDBRequest): IDBOpenDBRequest =>
  Object.assign(request, { onupgradeneeded: () => request.result.createObjectStore('later') })

it('opens the database again after the browser has closed it', async () => {
  const { origin, access, journal } = open('closed')
  await access.add(request)
  const session = await journal.open(scope, new AbortController().signal)
  const dropped = session.dropped.catch((error: unknown) => error)
  await toPromise(origin.databases.deleteDatabase('vue-chain/payouts/closed')) // as a user who clears the storage
  expect(await dropped).toBeInstanceOf(SessionDropped)
  await expect(session.write({ isOnHold: true })).rejects.toBeInstanceOf(SessionDropped)
  expect(await access.find(['a'])).toEqual([])
  expect(await access.add(request)).toMatchObject({ id: 'a' })
})

for (const fault of ['throws', 'aborts'] as const)
  it(`writes a change whole or not at all where any request ${fault}`, async () => {
    const { journal } = open('faults')
    const access = journal.access(scope)
    let at = 0
    for (let isReached = true; isReached; at++) {
      const record = await access.add({ ...request, id: `${fault} ${at}` })
      const attempt = attemptOf(1_000 + at, [2_000 + at], [record.id])
      const { transactionId } = attempt
      const change = {
        newAttempt: newAttempt(attempt, transactionId, [2_000 + at]),
        payouts: [updateOf(record, { type: 'stored', transactionId }, transactionId)],
        isOnHold: true,
      }
      const faults = failRequest(at, fault)
      const written = await access.write(change).catch((error: unknown) => error)
      faults.end()
      isReached = faults.count > at
      if (isReached) {
        expect(written).toMatchObject({ name: 'PayoutError', code: 'journal-unavailable' })
        expect(await access.find([record.id])).toEqual([record])
        expect((await access.taken([outpointOf(2_000 + at)])).size).toBe(0)
        expect(await access.write(change)).toBe(true)
      } else expect(written).toBe(true)
      expect(await access.groups({ of: 'ids', ids: [transactionId] })).toMatchObject([{ attempts: [attempt] }])
    }
    expect(at).toBeGreaterThan(8)
  })

it('says that a full storage has stored nothing', async () => {
  const { access } = open('quota')
  await access.find(['a'])
  const faults = failRequest(1, 'throws')
  await expect(access.add(request)).rejects.toMatchObject({
    code: 'journal-unavailable',
    details: 'QuotaExceededError: No space',
    hint: 'The storage of this origin is full: nothing was stored. Call again with the same id.',
  })
  faults.end()
  expect(await access.find(['a'])).toEqual([])
})

it('refuses an id of another wallet', async () => {
  const { access, journal } = open('wallets')
  await access.add(request)
  const other = journal.access({ ...scope, name: 'other' })
  await expect(other.add(request)).rejects.toMatchObject({ code: 'id-conflict', ids: ['a'] })
  expect(await journal.access({ network: 'testnet-10', name: 'other' }).add(request)).toMatchObject({ id: 'a' })
})

it('lets the next tab work once a tab was suspended, and refuses what it writes then', async () => {
  const origin = createFakeOrigin()
  const [first, second] = [open('tabs', origin), open('tabs', origin)]
  const { signal } = new AbortController()
  const suspended = await first.journal.open(scope, signal)
  const waiting = second.journal.open(scope, signal)
  const dropped = suspended.dropped.catch((error: unknown) => error)
  first.suspend()
  expect(await dropped).toBeInstanceOf(SessionDropped)
  const session = await waiting
  await expect(suspended.write({ isOnHold: true })).rejects.toBeInstanceOf(SessionDropped)
  expect(await session.wallet()).toMatchObject({ isOnHold: false })
})

it('lets the next tab work once a tab has crashed', async () => {
  const origin = createFakeOrigin()
  const [first, second] = [open('crash', origin), open('crash', origin)]
  const { signal } = new AbortController()
  await first.journal.open(scope, signal)
  const waiting = second.journal.open(scope, signal)
  first.close()
  expect(await (await waiting).wallet()).toMatchObject({ cursor: null })
})

it('ends the wait for another tab by the signal', async () => {
  const origin = createFakeOrigin()
  const [first, second] = [open('abort', origin), open('abort', origin)]
  await first.journal.open(scope, new AbortController().signal)
  const controller = new AbortController()
  const waiting = second.journal.open(scope, controller.signal)
  controller.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
})

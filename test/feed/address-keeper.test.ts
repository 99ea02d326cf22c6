import { NEVER, Subject } from 'rxjs'
import { expect, it } from 'vitest'
import { AddressKeeper } from '../../src/feed/address-keeper.js'
import type { AddressRequest, RequestTable } from '../../src/feed/sink.js'
import { followWanted } from '../../src/feed/requests.js'
import { createWatchedAddresses, type AddressChange } from '../../src/streams/transfers/watched-addresses.js'
import { addressOf } from './support/steps.js'

const ADDRESS = addressOf(0)

it('reads an address again that was refused, where a step has stored the end of its row before that was read', async () => {
  const [refused, excluded]: [string[], (readonly string[])[]] = [[], []]
  let requests: readonly AddressRequest[] = [
    { type: 'added', addresses: [ADDRESS], ids: new Map([[ADDRESS, '1']]), since: 'nonsense' },
  ]
  const table: RequestTable = {
    changes$: NEVER,
    read({ pending }) {
      excluded.push(pending)
      const read = requests
      requests = []
      return Promise.resolve(read)
    },
    refuse(addresses) {
      refused.push(...addresses)
      return Promise.resolve()
    },
  }
  const keeper = new AddressKeeper(
    table,
    createWatchedAddresses([]),
    'testnet-10',
    () => Promise.resolve({ reason: 'no block' }),
    (error) => expect.fail(String(error)),
  )
  keeper.advance()
  await expect.poll(() => [refused, excluded.at(-1)]).toEqual([[ADDRESS], [ADDRESS]])
  keeper.stored([], new Map(), [ADDRESS]) // the rollback of the step took the row of ended_watch
  await expect.poll(() => excluded.at(-1)).toEqual([])
})

it('begins three passes from older blocks at a time, and takes an address without `since` at once beside them', async () => {
  const changes$ = new Subject<AddressChange>()
  const wanted = followWanted(changes$)
  const table = wanted.against(new Set())
  const watched = createWatchedAddresses([])
  const begun: string[] = []
  watched.changes$.subscribe(({ type, since = 'now' }) => type === 'added' && begun.push(since))
  const keeper = new AddressKeeper(
    table,
    watched,
    'testnet-10',
    (since) => Promise.resolve({ cursor: since }),
    (error) => expect.fail(String(error)),
  )
  table.changes$.subscribe(() => keeper.advance())
  for (const index of [1, 2, 3, 4, 5])
    changes$.next({ type: 'added', addresses: [addressOf(index)], since: `block ${index}` })
  await expect.poll(() => begun).toEqual(['block 1', 'block 2', 'block 3'])

  changes$.next({ type: 'added', addresses: [addressOf(6)], since: undefined })
  await expect.poll(() => begun.slice(3)).toEqual(['now'])

  keeper.stored([addressOf(2)], new Map(), []) // its pass has caught up
  await expect.poll(() => begun.slice(4)).toEqual(['block 4'])

  changes$.next({ type: 'deleted', addresses: [addressOf(1)], since: undefined }) // which ends its pass
  await expect.poll(() => begun.slice(5)).toEqual(['block 5'])
  wanted.end()
})

it('requests addresses that are always wanted, and never their removal', async () => {
  const other = addressOf(1)
  const set = createWatchedAddresses([other, ADDRESS])
  const wanted = followWanted(set, [ADDRESS])
  const table = wanted.against(new Set([other]))
  set.delete([ADDRESS, other])
  expect(await table.read({ addresses: 10, passes: 1, pending: [] })).toEqual([
    { type: 'deleted', addresses: [other] },
    { type: 'added', addresses: [ADDRESS] },
  ])
  const again = wanted.against(new Set([ADDRESS]))
  expect(await again.read({ addresses: 10, passes: 1, pending: [] })).toEqual([])
  wanted.end()
})

it('reports an error of the observable that came between two sessions', async () => {
  const changes$ = new Subject<AddressChange>()
  const wanted = followWanted(changes$)
  wanted.against(new Set()) // of a session that has ended
  changes$.error(new Error('The subscription to orders has ended'))
  const read = wanted.against(new Set()).read({ addresses: 10, passes: 1, pending: [] })
  await expect(read).rejects.toThrow('The subscription to orders has ended')
  wanted.end()
})

it('adds no address that is deleted, added and deleted again before the first deletion is stored', async () => {
  const changes$ = new Subject<AddressChange>()
  const wanted = followWanted(changes$)
  const table = wanted.against(new Set([ADDRESS]))
  const watched = createWatchedAddresses([ADDRESS])
  const read: string[] = []
  const keeper = new AddressKeeper(
    {
      changes$: table.changes$,
      async read(limits) {
        const requests = await table.read(limits)
        read.push(...requests.map(({ type }) => type))
        return requests
      },
      refuse: (...refused) => table.refuse(...refused),
    },
    watched,
    'testnet-10',
    (since) => Promise.resolve({ cursor: since }),
    (error) => expect.fail(String(error)),
  )
  table.changes$.subscribe(() => keeper.advance())
  const change = async (...types: readonly AddressChange['type'][]): Promise<void> => {
    const before = read.length
    for (const type of types) changes$.next({ type, addresses: [ADDRESS], since: undefined })
    await expect.poll(() => read.slice(before)).toEqual(types)
  }
  await change('deleted')
  await change('added')
  await change('deleted')
  keeper.stored([], keeper.removed, [])
  expect([keeper.isAdding(ADDRESS), watched.has(ADDRESS)]).toEqual([false, false])
  wanted.end()
})

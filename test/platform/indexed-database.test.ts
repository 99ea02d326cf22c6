import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, it } from 'vitest'
import { IndexedDatabase, toPromise, type DatabaseSchema } from '../../src/platform/indexed-database.js'
import type { PlatformTabs } from '../../src/platform/port.js'

const schema: DatabaseSchema = {
  name: 'test',
  version: 1,
  durability: 'relaxed',
  create: (database) => database.createObjectStore('rows'),
}

let factory: IDBFactory
let opened: IDBDatabase[]
beforeEach(() => {
  globalThis.IDBKeyRange = IDBKeyRange
  factory = new IDBFactory()
  opened = []
})

/** Notes each database that is opened. */
const noting = (open: PlatformTabs['databases']['open']): PlatformTabs['databases'] => ({
  open: (...request) => {
    const result = open(...request)
    result.addEventListener('success', () => opened.push(result.result))
    return result
  },
})

const openDatabase = (open: PlatformTabs['databases']['open'] = (...request) => factory.open(...request)) =>
  new IndexedDatabase(noting(open), schema)

const put = (database: IndexedDatabase, key: string, value: unknown): Promise<IDBValidKey> =>
  database.run('readwrite', (stores) => toPromise(stores('rows').put(value, key)))
const get = (database: IndexedDatabase, key: string): Promise<unknown> =>
  database.run('readonly', (stores) => toPromise<unknown>(stores('rows').get(key)))

it('resolves to the result of the work, and writes nothing where the work rejects', async () => {
  const database = openDatabase()
  const failed = database.run('readwrite', async (stores) => {
    await toPromise(stores('rows').put(1, 'a'))
    throw new Error('Not this one')
  })
  await expect(failed).rejects.toThrow('Not this one')
  expect(await get(database, 'a')).toBeUndefined()
  await put(database, 'a', 2)
  expect(await get(database, 'a')).toBe(2)
})

it('rejects with the error of the request that failed', async () => {
  const database = openDatabase()
  const add = () => database.run('readwrite', (stores) => toPromise(stores('rows').add(1, 'a')))
  await add()
  await expect(add()).rejects.toMatchObject({ name: 'ConstraintError' })
  await expect(database.run('readonly', (stores) => toPromise(stores('rows').put(1, 'a')))).rejects.toMatchObject({
    name: 'ReadOnlyError',
  })
})

it('opens the database once for uses at the same time, and again after the browser has closed it', async () => {
  const database = openDatabase()
  await Promise.all([put(database, 'a', 1), put(database, 'b', 2)])
  expect(opened).toHaveLength(1)
  opened[0]!.close() // without an event, as a browser that has lost its process
  expect(await Promise.all([get(database, 'a'), get(database, 'b')])).toEqual([1, 2])
  expect(opened).toHaveLength(2)
})

it('leaves the database open that a use has opened again, where an earlier one reports its end later', async () => {
  const database = openDatabase()
  await put(database, 'a', 1)
  const [first] = opened
  await database.close()
  await put(database, 'a', 2)
  first!.onclose?.(new Event('close'))
  expect(await get(database, 'a')).toBe(2)
  expect(opened).toHaveLength(2)
})

it('closes a database that could not be opened, and opens it with the next use', async () => {
  let isBlocked = true
  const database = openDatabase((...request) => {
    if (isBlocked) throw new DOMException('Blocked', 'SecurityError')
    return factory.open(...request)
  })
  const blocked = put(database, 'a', 1)
  const closed = database.close()
  await expect(blocked).rejects.toMatchObject({ name: 'SecurityError' })
  await expect(closed).resolves.toBeUndefined()
  isBlocked = false
  await put(database, 'a', 1)
  expect(await get(database, 'a')).toBe(1)
})

it('closes the database for a newer schema, and says so', async () => {
  const database = openDatabase()
  let closed = 0
  database.closed$.subscribe(() => closed++)
  await put(database, 'a', 1)
  const newer = await toPromise(factory.open(schema.name, 2))
  expect(closed).toBe(1)
  await expect(put(database, 'a', 2)).rejects.toMatchObject({ name: 'VersionError' })
  newer.close()
})

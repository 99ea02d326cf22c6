import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'

/** What ends itself. */
type Ending = { close(): unknown } | { dispose(): unknown } | { stop(): unknown }

/** A value for each test of a file: created before the test, and ended after it. Its fields are those of the test's. */
export function eachTest<T extends Ending>(create: () => T | Promise<T>): T {
  const value = createSlot<T>()
  beforeEach(async () => {
    const created = value.set(await create())
    onTestFinished(() => end(created)) // after what the test itself ends
  })
  return value.fields
}

/** The same for all tests of a file: created before the first one, and ended after the last one. */
export function eachFile<T extends Ending>(create: () => T | Promise<T>): T {
  const value = createSlot<T>()
  beforeAll(async () => void value.set(await create()))
  afterAll(() => end(value.get()))
  return value.fields
}

async function end(value: Ending): Promise<void> {
  if ('close' in value) await value.close()
  else await ('dispose' in value ? value.dispose() : value.stop())
}

/** A place for a value, and an object with the fields of what is there now. */
function createSlot<T extends object>() {
  let value: T | undefined
  const get = (): T => {
    if (value === undefined) throw new Error('There is no test yet')
    return value
  }
  const fields = new Proxy({} as T, {
    get: (_, name): unknown => {
      const field: unknown = Reflect.get(get(), name)
      return typeof field === 'function' ? field.bind(get()) : field // methods may have private fields
    },
    set: (_, name, to) => Reflect.set(get(), name, to),
    has: (_, name) => Reflect.has(get(), name),
    ownKeys: () => Reflect.ownKeys(get()),
    getOwnPropertyDescriptor: (_, name) => {
      const field = Reflect.getOwnPropertyDescriptor(get(), name)
      return field && { ...field, configurable: true }
    },
  })
  return { get, set: (next: T) => (value = next), fields }
}

import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../src/errors/rest-error.js'
import { createRestClient } from '../../src/rest/client.js'
import { deferOperations } from '../../src/rest/deferred.js'
import { loadOperationsOnce } from '../../src/rest/load-once.js'
import { json, scriptFetch } from './scripted-fetch.js'

const URL = 'https://indexer.test'
const importError = new TypeError('Failed to fetch dynamically imported module')

/** A loader that fails `failures` times, then succeeds. */
function createFlakyLoad(failures: number) {
  const { fetcher } = scriptFetch(json({ price: 1 }))
  let loads = 0
  const load = () =>
    ++loads <= failures ? Promise.reject(importError) : Promise.resolve(createRestClient({ baseUrl: URL, fetcher }))
  return { operations: deferOperations(loadOperationsOnce(load, URL)), loads: () => loads }
}

describe('a client whose operations cannot be loaded', () => {
  it('rejects with `ChainRestError` and a hint', async () => {
    const { operations } = createFlakyLoad(1)
    const error: unknown = await operations.getPrice().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ChainRestError)
    expect(error).toMatchObject({
      code: 'network',
      cause: importError,
      message: `REST request GET ${URL} got no response: the client itself could not be loaded`,
      hint: 'Reload the page: a newer version of the app may have been deployed.',
    })
  })

  it('loads again with the next call, and only once after success', async () => {
    const { operations, loads } = createFlakyLoad(1)
    await expect(operations.getPrice()).rejects.toThrow()
    expect(await operations.getPrice()).toEqual({ price: 1 })
    await operations.getPrice()
    expect(loads()).toBe(2)
  })

  it('rejects the iteration over pages too', async () => {
    const { operations } = createFlakyLoad(9)
    const pages = operations.getFullTransactionsByAddressPages('any')[Symbol.asyncIterator]()
    await expect(pages.next()).rejects.toMatchObject({ code: 'network', cause: importError })
  })
})

import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../src/errors/rest-error.js'
import { createRestClient } from '../../src/rest/client.js'
import { deferOperations } from '../../src/rest/deferred.js'
import { loadedOnce } from '../../src/rest/loaded.js'
import { json, scriptFetch } from './scripted-fetch.js'

const URL = 'https://indexer.test'
const gone = new TypeError('Failed to fetch dynamically imported module')

/** Loads that fail so often, then succeed. */
function createFlakyLoad(failures: number) {
  const { fetcher } = scriptFetch(json({ price: 1 }))
  let loads = 0
  const load = () =>
    ++loads <= failures ? Promise.reject(gone) : Promise.resolve(createRestClient({ baseUrl: URL, fetcher }))
  return { operations: deferOperations(loadedOnce(load, URL)), loads: () => loads }
}

describe('a client whose operations cannot be loaded', () => {
  it('says so by the error of every other failure, with what to do', async () => {
    const { operations } = createFlakyLoad(1)
    const error: unknown = await operations.getPrice().catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ChainRestError)
    expect(error).toMatchObject({
      code: 'network',
      cause: gone,
      message: `REST request GET ${URL} got no answer: the client itself could not be loaded`,
      hint: 'Load the page anew: the app may have been replaced by a newer one meanwhile.',
    })
  })

  it('tries again with the next call, and loads no more once it has', async () => {
    const { operations, loads } = createFlakyLoad(1)
    await expect(operations.getPrice()).rejects.toThrow()
    expect(await operations.getPrice()).toEqual({ price: 1 })
    await operations.getPrice()
    expect(loads()).toBe(2)
  })

  it('says it to whoever goes from page to page as well', async () => {
    const { operations } = createFlakyLoad(9)
    const pages = operations.getFullTransactionsByAddressPages('any')[Symbol.asyncIterator]()
    await expect(pages.next()).rejects.toMatchObject({ code: 'network', cause: gone })
  })
})

import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import type { Devnode } from '../../../src/devnode/devnode.js'
import { recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

describe('a response', () => {
  const indexer = createLocalIndexer()
  indexer.mine(3)
  const genesis = indexer.ledger.expected.chain()[0] ?? ''
  const request = (target: string, headers: Record<string, string>) => indexer.request('GET', target, '', headers)

  it('is compressed if accepted and long enough, with the recorded headers', async () => {
    const { headers } = await request(`/blocks?lowHash=${genesis}&includeBlocks=true`, {
      'accept-encoding': 'gzip, deflate, br',
    })
    const recorded = recording('framework', 'gzip').headers
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: recorded.vary })
  })

  it('is not compressed if it is short or gzip is not accepted', async () => {
    const short = await request('/info/blockreward', { 'accept-encoding': 'gzip' })
    expect(short.headers).toEqual(recording('framework', 'gzip-small').headers)
    const plain = await request(`/blocks?lowHash=${genesis}&includeBlocks=true`, {})
    expect(plain.headers).not.toHaveProperty('content-encoding')
  })

  it('has a vary header for origin and encoding', async () => {
    const headers = { 'accept-encoding': 'gzip', origin: 'http://app.test', cookie: 'a=b' }
    expect((await request(`/blocks?lowHash=${genesis}&includeBlocks=true`, headers)).headers?.vary).toBe(
      'Origin, Accept-Encoding',
    )
  })
})

describe('over a socket', () => {
  let devnode: Devnode
  beforeAll(async () => {
    devnode = await createDevnode({ blockInterval: 0 })
    await devnode.mine(3)
  })
  afterAll(() => devnode.close())

  /** The status of a path that is sent unchanged: `fetch` would normalise it. */
  const statusOf = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(devnode.urls.rest)
      httpRequest({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })

  it('decompresses a response', async () => {
    const [genesis = ''] = devnode.expected.chain()
    const response = await fetch(`${devnode.urls.rest}/blocks?lowHash=${genesis}&includeBlocks=true`)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toMatchObject({ blockHashes: expect.arrayContaining([genesis]) as string[] })
  })

  it.each(['//info/blockreward', '/info//blockreward', '//elsewhere/info/blockreward'])(
    'responds 404 to a double slash: %s',
    async (path) => {
      expect(await statusOf(path)).toBe(404)
    },
  )
})

import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import type { Devnode } from '../../../src/devnode/devnode.js'
import { recording } from '../../rest/recordings.js'
import { createLocalIndexer } from './local-indexer.js'

describe('an answer', () => {
  const indexer = createLocalIndexer()
  indexer.mine(3)
  const genesis = indexer.ledger.truth.chain()[0] ?? ''
  const ask = (target: string, headers: Record<string, string>) => indexer.ask('GET', target, '', headers)

  it('is compressed where that is asked for and worth the while, with the recorded headers', async () => {
    const { headers } = await ask(`/blocks?lowHash=${genesis}&includeBlocks=true`, {
      'accept-encoding': 'gzip, deflate, br',
    })
    const recorded = recording('framework', 'gzip').headers
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: recorded.vary })
  })

  it('is sent as it is where it is short, or nobody asked', async () => {
    const short = await ask('/info/blockreward', { 'accept-encoding': 'gzip' })
    expect(short.headers).toEqual(recording('framework', 'gzip-small').headers)
    const plain = await ask(`/blocks?lowHash=${genesis}&includeBlocks=true`, {})
    expect(plain.headers).not.toHaveProperty('content-encoding')
  })

  it('varies by all that made it so', async () => {
    const headers = { 'accept-encoding': 'gzip', origin: 'http://app.test', cookie: 'a=b' }
    expect((await ask(`/blocks?lowHash=${genesis}&includeBlocks=true`, headers)).headers?.vary).toBe(
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

  /** The status of a path that is sent exactly as it is written: `fetch` would tidy it up. */
  const statusOf = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(devnode.urls.rest)
      httpRequest({ hostname, port, path }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })

  it('a compressed answer is read like any other', async () => {
    const [genesis = ''] = devnode.truth.chain()
    const response = await fetch(`${devnode.urls.rest}/blocks?lowHash=${genesis}&includeBlocks=true`)
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.json()).toMatchObject({ blockHashes: expect.arrayContaining([genesis]) as string[] })
  })

  it.each(['//info/blockreward', '/info//blockreward', '//elsewhere/info/blockreward'])(
    'a doubled slash is no route: %s',
    async (path) => {
      expect(await statusOf(path)).toBe(404)
    },
  )
})

import { expect, it } from 'vitest'
import { createLocalIndexer } from './local-indexer.js'

interface Block {
  readonly verboseData: { readonly hash: string }
}

const indexer = createLocalIndexer()
const newest = indexer.mine(3).at(-1) ?? ''

it('gives every chain block the color blue, the tip included', async () => {
  expect(await indexer.read('GET', `/blocks/${newest}?includeColor=true`)).toMatchObject({ extra: { color: 'blue' } })
})

it('lists blocks of a blue score without their miners', async () => {
  const blocks = await indexer.read('GET', '/blocks-from-bluescore?blueScore=2&includeTransactions=true')
  expect(blocks).toMatchObject([{ extra: { color: null, minerAddress: null, minerInfo: null } }])
})

it('lets genesis be cached by its time', async () => {
  const [genesis] = (await indexer.read('GET', '/blocks-from-bluescore?blueScoreLt=1')) as readonly Block[]
  const { headers = {} } = await indexer.request('GET', `/blocks/${genesis?.verboseData.hash}`)
  expect(headers['cache-control']).toBe('public, max-age=86400')
})

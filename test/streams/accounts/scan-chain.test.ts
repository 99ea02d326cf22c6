import { describe, expect, it } from 'vitest'
import { scanChain } from '../../../src/streams/accounts/scan-chains.js'

/** Scans addresses `#0`, `#1`, … of which the given ones are used; counts the lookups. */
async function scan(isUsed: (index: number) => boolean, limits = { gapLimit: 20, maxAddresses: 10_000 }) {
  const requested: string[] = []
  const found = await scanChain({
    ...limits,
    address: (index) => `#${index}`,
    findUsed: (addresses) => {
      requested.push(...addresses)
      return Promise.resolve(new Set(addresses.filter((address) => isUsed(Number(address.slice(1))))))
    },
  })
  return { indexes: found.map(({ index }) => index), requested }
}

describe('a scan of a chain', () => {
  it('ends after the gap limit, and looks up each address once', async () => {
    const { indexes, requested } = await scan((index) => [0, 3, 22].includes(index))
    expect(indexes).toEqual([0, 3, 22])
    expect(requested).toEqual(Array.from({ length: 43 }, (_, index) => `#${index}`))
  })

  it('does not find what lies behind a longer gap', async () => {
    expect((await scan((index) => index === 20)).indexes).toEqual([])
    expect((await scan((index) => index === 20, { gapLimit: 21, maxAddresses: 100 })).indexes).toEqual([20])
  })

  it('rejects where everything is reported as used', async () => {
    const limits = { gapLimit: 20, maxAddresses: 500 }
    await expect(scan(() => true, limits)).rejects.toMatchObject({
      code: 'limit-exceeded',
      argument: 'maxAddresses',
      message: 'The scan needs more than 500 addresses of a chain',
    })
  })

  it('ignores addresses that were not requested', async () => {
    const foreign = { gapLimit: 5, maxAddresses: 100, address: (index: number) => `#${index}` }
    expect(await scanChain({ ...foreign, findUsed: () => Promise.resolve(new Set(['#7', 'other'])) })).toEqual([])
  })
})

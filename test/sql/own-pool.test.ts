import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as OwnPool from '../../src/sql/pool-access.js'
import { createFailingImports } from '../loading/failing-imports.js'

const failing = createFailingImports()
let createOwnPool: typeof OwnPool.createOwnPool

beforeAll(async () => {
  createOwnPool = ((await failing.load(['sql/pool-access'])) as typeof OwnPool).createOwnPool
})
afterAll(() => failing.remove())

it('loads its code again after it could not be loaded', async () => {
  const pool = createOwnPool('postgres://user@127.0.0.1:1/none', 1_000)
  failing.isMissing = (module) => module === 'sql/open-pool'
  await expect(pool.connect()).rejects.toMatchObject({ code: 'code-not-loaded' })
  expect(failing.refused).toEqual(['sql/open-pool'])
  failing.isMissing = () => false
  await expect(pool.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' }) // of the driver: it was loaded
  await pool.close()
})

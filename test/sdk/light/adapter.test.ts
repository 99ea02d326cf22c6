import { secp256k1 } from '@noble/curves/secp256k1.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLightPort } from '../../../src/sdk/light/adapter.js'
import hd from '../../fixtures/consensus/hd.json' with { type: 'json' }

const [vector] = hd.vectors
const secret = { phrase: vector!.phrase, passphrase: vector!.passphrase }
const { BASE } = secp256k1.Point

afterEach(() => {
  vi.restoreAllMocks()
})

/** The tables of multiples of the base point that `run` builds, as the library keeps them: in a WeakMap by point. */
function tablesOf(run: () => void): { readonly comp: readonly unknown[] }[] {
  const set = vi.spyOn(WeakMap.prototype, 'set')
  run()
  return set.mock.calls.flatMap(([point, tables]) => (point === BASE && Array.isArray(tables) ? tables : []))
}

describe('the light port', () => {
  it('builds a small table of the base point for the first key', () => {
    BASE.precompute() // the library's default, without a table that an earlier test has built
    const tables = tablesOf(() => {
      const key = createLightPort().derivePrivateKey(secret, { account: 0, change: false, index: 0 })
      expect(key).toBe(vector!.accounts['0'].receivePrivateKeys[0])
    })
    expect(tables.map(({ comp }) => comp.length)).toEqual([776]) // 2,080 with the default
  })
})

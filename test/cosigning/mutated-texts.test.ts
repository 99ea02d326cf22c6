import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/random.js'
import { isInvalidPskb, isUntrustedPskb } from '../../src/errors/cosigning-errors.js'
import { readBundle } from '../../src/model/pskb/read-bundle.js'
import { writeBundle } from '../../src/model/pskb/write-bundle.js'
import { checkKeys } from '../../src/operations/cosigning/verify-signature.js'
import { runs } from '../full.js'
import { mutate } from './mutations.js'

const NAMES = ['2of3-combined', 'chain-of-two-combined', 'two-inputs-final', 'version-1-payload-abcd-final']

const BASES = NAMES.map((name) =>
  Buffer.from(
    readFileSync(new URL(`../fixtures/cosigning/${name}.pskb`, import.meta.url), 'utf8')
      .trim()
      .slice(4),
    'hex',
  ).toString(),
)

describe('mutated texts', () => {
  it('are read as they are written again, or refused by a reason', () => {
    const random = createRandom(43)
    const outcomes = { read: 0, refused: 0 }
    for (let left = runs(2000, 100_000); left > 0; left--) {
      const json = mutate(BASES[left % BASES.length]!, random)
      try {
        const bundle = readBundle(`PSKB${Buffer.from(json).toString('hex')}`)
        for (const _ of checkKeys(bundle)) continue
        const written = writeBundle(bundle)
        if (writeBundle(readBundle(written)) !== written) throw new Error(`Read in another way: ${json}`)
        outcomes.read++
      } catch (error) {
        if (!isInvalidPskb(error) && !isUntrustedPskb(error)) throw error
        outcomes.refused++
      }
    }
    expect(outcomes.read).toBeGreaterThan(50)
    expect(outcomes.refused).toBeGreaterThan(1000)
  })
})

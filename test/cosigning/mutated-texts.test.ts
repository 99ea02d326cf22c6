import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/devnode/machine.js'
import { isInvalidPskb, isUntrustedPskb } from '../../src/errors/cosigning-errors.js'
import { finish } from '../../src/loading/steps.js'
import { bundleJson, writeBundle } from '../../src/model/pskb/write-bundle.js'
import { readBundle } from '../../src/model/pskb/read-bundle.js'
import { createBundleAccount } from '../../src/operations/cosigning/bundle-account.js'
import { findPaths, toBundle } from '../../src/operations/cosigning/bundle.js'
import { requireRules } from '../../src/operations/cosigning/rules.js'
import { verifySignatures } from '../../src/operations/cosigning/signatures.js'
import { checkKeys, createSignatureCheck } from '../../src/operations/cosigning/verify-signature.js'
import { FULL, runs } from '../full.js'
import { mutate } from './mutations.js'
import { signedBundle } from './signed-bundle.js'

const NAMES = ['2of3-combined', 'chain-of-two-combined', 'two-inputs-final', 'version-1-payload-abcd-final']

const { value, pskt, signatures } = signedBundle()
const BASES = [
  bundleJson([pskt]),
  ...NAMES.map((name) =>
    Buffer.from(
      readFileSync(new URL(`../fixtures/cosigning/${name}.pskb`, import.meta.url), 'utf8')
        .trim()
        .slice(4),
      'hex',
    ).toString(),
  ),
]

const account = createBundleAccount(value)
const isValidSignature = createSignatureCheck()
const ALLOWED = { maxFee: undefined, foreignInputs: true, payload: true }

/** Opens a text as a cosigner without a node does; what it takes for signatures of the account. */
function open(text: string): readonly string[] {
  const pskts = readBundle(text)
  for (const _ of checkKeys(pskts)) continue
  const written = writeBundle(pskts)
  if (writeBundle(readBundle(written)) !== written) throw new Error(`Read in another way: ${text}`)
  finish(findPaths(pskts, account))
  const bundle = toBundle(pskts, account)
  requireRules(bundle, account, ALLOWED)
  return [...verifySignatures(bundle, value.ecdsa, isValidSignature)].flatMap((each) => [...each.signatures.values()])
}

/** Ms of processor time. A collection of garbage may fall into one run, and not into three. */
function timeOf(run: () => unknown): number {
  const times = [0, 1, 2].map(() => {
    const from = process.cpuUsage()
    expect(run).toThrow()
    const { user, system } = process.cpuUsage(from)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

describe('mutated texts', () => {
  it('are opened with the signatures that were there, or refused by a reason, at once', () => {
    const random = createRandom(43)
    finish(account.search([{ version: 0, script: '' }])) // the first addresses, which are derived in slices
    const outcomes = { opened: 0, refused: 0, signed: 0 }
    for (let left = runs(2000, 100_000); left > 0; left--) {
      const text = `PSKB${Buffer.from(mutate(BASES[left % BASES.length]!, random)).toString('hex')}`
      const from = performance.now()
      try {
        const found = open(text)
        outcomes.opened++
        outcomes.signed += found.length
        for (const signature of found) expect(signatures).toContain(signature)
      } catch (error) {
        if (!isInvalidPskb(error) && !isUntrustedPskb(error)) throw error
        outcomes.refused++
        if (FULL && performance.now() - from > 100) expect(timeOf(() => open(text))).toBeLessThan(100)
      }
    }
    expect(outcomes.opened).toBeGreaterThan(50)
    expect(outcomes.signed).toBeGreaterThan(10)
    expect(outcomes.refused).toBeGreaterThan(1000)
  })
})

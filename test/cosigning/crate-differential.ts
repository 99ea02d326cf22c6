import { createRandom } from '../../src/devnode/machine.js'
import { ChainError } from '../../src/errors/chain-error.js'
import { readBundle } from '../../src/model/pskb/read-bundle.js'
import { type Pskt, psktTransaction } from '../../src/model/pskb/records.js'
import { bundleJson, writeBundle } from '../../src/model/pskb/write-bundle.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { checkKeys } from '../../src/operations/cosigning/verify-signature.js'
import { openLines } from './line-process.js'
import { mutate } from './mutations.js'
import { randomBundle } from './random-bundle.js'

/** What the program of the crate kaspa-wallet-pskt replies. */
export type CrateReply =
  | { readonly text: string; readonly ids: readonly (string | null)[]; readonly error?: undefined }
  | { readonly error: string }

export interface CrateComparison {
  readonly same: number
  readonly mutated: { readonly both: number; readonly refused: number; readonly onlyWeRefuse: number }
  readonly differences: readonly string[]
}

/**
 * Compares reader, writer and ids with the crate's on `count` random bundles, and on as many mutated ones: what the
 * crate refuses, this library refuses.
 */
export async function compareWithCrate(binary: string, count: number, seed: number): Promise<CrateComparison> {
  const crate = openLines<CrateReply>([binary])
  const differences: string[] = []
  const mutated = { both: 0, refused: 0, onlyWeRefuse: 0 }
  let same = 0
  for (let at = 0; at < count; at++) {
    const bundle = randomBundle(seed + at)
    const text = writeBundle(bundle)
    const reply = await crate.call({ op: 'read', text })
    const ids = bundle.map((each) => transactionId(psktTransaction(each)))
    if (reply.error === undefined && reply.text === text && areSameIds(bundle, ids, reply.ids)) same++
    else differences.push(JSON.stringify({ seed: seed + at, reply, ids }))
    const ours = toOurs(text)
    if (ours !== text) differences.push(JSON.stringify({ seed: seed + at, ours }))

    const changed = toText(mutate(bundleJson(bundle), createRandom(seed + at)))
    const [theirs, own] = [await crate.call({ op: 'read', text: changed }), toOurs(changed)]
    if (theirs.error !== undefined && own === undefined) mutated.refused++
    else if (theirs.error !== undefined) differences.push(JSON.stringify({ seed: seed + at, theirs, own }))
    else if (own === undefined) mutated.onlyWeRefuse++
    else if (own === theirs.text) mutated.both++
    else differences.push(JSON.stringify({ seed: seed + at, theirs: theirs.text, own }))
  }
  crate.close()
  return { same, mutated, differences }
}

const toText = (json: string): string => `PSKB${Buffer.from(json).toString('hex')}`

/** The text as this library writes it again; undefined where it is refused. */
function toOurs(text: string): string | undefined {
  try {
    const bundle = readBundle(text)
    for (const _ of checkKeys(bundle)) continue
    return writeBundle(bundle)
  } catch (error) {
    if (error instanceof ChainError) return undefined
    throw error
  }
}

/**
 * The crate has no id where an input states no entry. Its lock time is the greatest `minTime`, or without inputs the
 * fallback; this library refuses both.
 */
const areSameIds = (bundle: readonly Pskt[], ours: readonly string[], theirs: readonly (string | null)[]): boolean =>
  bundle.every(({ global, inputs }, at) => {
    const isTimed =
      inputs.length === 0 ? global.fallbackLockTime !== null : inputs.some(({ minTime }) => minTime !== null)
    return isTimed || theirs[at] === null || theirs[at] === ours[at]
  })

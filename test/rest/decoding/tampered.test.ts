import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import { decodeResponse } from '../../../src/rest/decoding/decode-response.js'
import { runs } from '../../full.js'
import { FAMILIES, isWhole, decoderOf } from '../recording-decoders.js'
import { recordingsOf, toResponse, type Recording } from '../recordings.js'
import { integersOf, placesOf, typesOf, writeJson } from './trees.js'

const LARGE = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 64n]
const STRANGE = [null, true, 'text', '5', '', 1.5, -1, 1e30, [], {}, [null], ...LARGE]

/** The longest recording for each decoder. */
const RICHEST = richestOf(FAMILIES.flatMap(recordingsOf).filter(isDecodable))

function isDecodable(entry: Recording): boolean {
  return entry.status === 200 && isWhole(entry) && decoderOf(entry) !== undefined && entry.body.length < 20_000
}

function richestOf(entries: readonly Recording[]): ReadonlyMap<string, Recording> {
  const richest = new Map<string, Recording>()
  for (const entry of entries) {
    const name = decoderOf(entry)!
    if (entry.body.length > (richest.get(name)?.body.length ?? 0)) richest.set(name, entry)
  }
  return richest
}

const isTree = ({ body }: Recording): boolean => /^[[{]/.test(body) && decoderOf({ body } as Recording) !== 'anything'
const trees = [...RICHEST].filter(([name, entry]) => isTree(entry) && name !== 'anything')

/** The decoded body, or the error. */
const read = (entry: Recording, body: string, headers = entry.headers): Promise<unknown> =>
  decodeResponse(
    { method: 'GET', url: 'https://indexer.test/' },
    toResponse({ ...entry, body, headers }),
    decoderOf(entry)!,
  )
    .then(({ value }) => value)
    .catch((error: unknown) => error)

/** A recorded body with one field changed or removed, and the key of that field. */
function tamper(
  body: string,
  at: number,
  change: 'change' | 'delete',
  strange: unknown,
): { body: string; key: string } {
  const tree: unknown = JSON.parse(body)
  const places = placesOf(tree).filter(({ holder }) => !('minerInfo' in holder)) // a record of unknown values
  const { holder, key } = places[at % places.length]!
  if (change === 'delete' && !Array.isArray(holder)) Reflect.deleteProperty(holder, key)
  else holder[key] = strange
  return { body: writeJson(tree), key }
}

/**
 * A page of an address is also held to what can be: a text in place of an address is another address than its script's.
 */
const FAULTY = /^(malformed|unexpected-response)$/

/** Fields that the server holds as doubles. */
const MEASURED = /^(difficulty|hashrate|price|marketcap|blockreward|nextHalving\w+|feerate|estimatedSeconds|\w+Diff)$/

describe('a recorded response with one field of another type, or missing', () => {
  it.each(trees)('%s: is a typed error, or a value of the declared types', async (_, entry) => {
    const good = typesOf(await read(entry, entry.body))
    const arbitrary = fc.tuple(fc.nat(), fc.constantFrom('change', 'delete'), fc.constantFrom(...STRANGE))
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([at, deed, strange]) => {
        const result = await read(entry, tamper(entry.body, at, deed, strange).body)
        if (result instanceof ChainRestError) expect(result.code).toMatch(FAULTY)
        else expect(typesOf(result)).toBeCompatibleWith(good)
      }),
      { numRuns: runs(40, 120) },
    )
  })

  it.each(trees)('%s: a large integer is rejected or exact', async (_, entry) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(...LARGE), async (at, large) => {
        const { body, key } = tamper(entry.body, at, 'change', large)
        const result = await read(entry, body)
        if (result instanceof ChainRestError) expect(result.code).toMatch(FAULTY)
        else if (!MEASURED.test(key)) expect(integersOf(result)).toContain(large)
      }),
      { numRuns: runs(20, 60) },
    )
  })
})

it('rejects a UTXO whose script is no record', async () => {
  const entry = RICHEST.get('utxos')!
  const [utxo] = JSON.parse(entry.body) as { utxoEntry: object }[]
  const result = await read(entry, JSON.stringify([{ ...utxo, utxoEntry: { ...utxo?.utxoEntry, scriptPublicKey: 7 } }]))
  expect(result).toMatchObject({
    code: 'malformed',
    message: expect.stringMatching(/"scriptPublicKey" is not a record$/),
  })
})

describe('a recorded response that is truncated or replaced', () => {
  it.each([...RICHEST])('%s: rejects a truncated body', async (_, entry) => {
    if (!isTree(entry)) return
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: entry.body.length - 1 }), async (length) => {
        expect(await read(entry, entry.body.slice(0, length))).toMatchObject({
          name: 'ChainRestError',
          code: 'malformed',
        })
      }),
      { numRuns: runs(15, 40) },
    )
  })

  it.each([...RICHEST].filter(([name]) => name !== 'anything'))(
    '%s: rejects an HTML page, an empty body and other JSON',
    async (_, entry) => {
      const html = { 'content-type': 'text/html' }
      const rejected = { name: 'ChainRestError', code: 'malformed' }
      expect(await read(entry, '<!doctype html><title>Hello</title>', html)).toMatchObject(rejected)
      expect(await read(entry, '')).toMatchObject(rejected)
      expect(await read(entry, 'null', { 'content-type': 'application/json' })).toMatchObject(rejected)
      expect(await read(entry, '"soon"', { 'content-type': 'application/json' })).toSatisfy(isRejectedOrText)
      expect(await read(entry, `${entry.body}}`, { 'content-type': 'application/json' })).toMatchObject(rejected)
    },
  )
})

/** Text responses may be any text. */
const isRejectedOrText = (result: unknown): boolean => result instanceof ChainRestError || result === 'soon'

expect.extend({
  /** Every common field has the same type in both, or is undefined. */
  toBeCompatibleWith(received: Map<string, string>, model: Map<string, string>) {
    const wrong = [...received].filter(
      ([path, type]) => type !== 'undefined' && (model.get(path) ?? type) !== type && model.get(path) !== 'undefined',
    )
    return { pass: wrong.length === 0, message: () => `wrong types: ${JSON.stringify(wrong)}` }
  },
})

declare module 'vitest' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- vitest's own signature
  interface Matchers<T> {
    toBeCompatibleWith: (model: Map<string, string>) => void
  }
}

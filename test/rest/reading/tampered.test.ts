import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../../src/errors/rest-error.js'
import { readAnswer } from '../../../src/rest/reading/read-answer.js'
import { FAMILIES, isWhole, readerOf } from '../readers-of-recordings.js'
import { recordingsOf, toResponse, type Recording } from '../recordings.js'
import { integersOf, placesOf, typesOf, writeJson } from './trees.js'

const LARGE = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2n ** 64n]
const STRANGE = [null, true, 'text', '5', '', 1.5, -1, 1e30, [], {}, [null], ...LARGE]

/** For each kind of answer the recording that holds most. */
const RICHEST = richestOf(FAMILIES.flatMap(recordingsOf).filter(isGood))

function isGood(entry: Recording): boolean {
  return entry.status === 200 && isWhole(entry) && readerOf(entry) !== undefined && entry.body.length < 20_000
}

function richestOf(entries: readonly Recording[]): ReadonlyMap<string, Recording> {
  const richest = new Map<string, Recording>()
  for (const entry of entries) {
    const name = readerOf(entry)!
    if (entry.body.length > (richest.get(name)?.body.length ?? 0)) richest.set(name, entry)
  }
  return richest
}

const isTree = ({ body }: Recording): boolean => /^[[{]/.test(body) && readerOf({ body } as Recording) !== 'anything'
const trees = [...RICHEST].filter(([name, entry]) => isTree(entry) && name !== 'anything')

/** What reading makes of a body: the value, or the error. */
const read = (entry: Recording, body: string, headers = entry.headers): Promise<unknown> =>
  readAnswer({ method: 'GET', url: 'https://indexer.test/' }, toResponse({ ...entry, body, headers }), readerOf(entry)!)
    .then(({ value }) => value)
    .catch((error: unknown) => error)

/** A recorded body with one place changed or gone; the key of that place. */
function tamper(body: string, at: number, deed: 'change' | 'delete', strange: unknown): { body: string; key: string } {
  const tree: unknown = JSON.parse(body)
  const places = placesOf(tree).filter(({ holder }) => !('minerInfo' in holder)) // a record of unknown values
  const { holder, key } = places[at % places.length]!
  if (deed === 'delete' && !Array.isArray(holder)) Reflect.deleteProperty(holder, key)
  else holder[key] = strange
  return { body: writeJson(tree), key }
}

/** What the server measures in doubles: no digit of it was ever exact. */
const MEASURED = /^(difficulty|hashrate|price|marketcap|blockreward|nextHalving\w+|feerate|estimatedSeconds|\w+Diff)$/

describe('a good answer with one field of another type, or missing', () => {
  it.each(trees)('%s: is a typed error, or a value of the promised types', async (_, entry) => {
    const good = typesOf(await read(entry, entry.body))
    const arbitrary = fc.tuple(fc.nat(), fc.constantFrom('change', 'delete'), fc.constantFrom(...STRANGE))
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([at, deed, strange]) => {
        const answer = await read(entry, tamper(entry.body, at, deed, strange).body)
        if (answer instanceof ChainRestError) expect(answer.code).toBe('malformed')
        else expect(typesOf(answer)).toBeCompatibleWith(good)
      }),
      { numRuns: 120 },
    )
  })

  it.each(trees)('%s: a large integer is refused or kept to the last digit', async (_, entry) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(...LARGE), async (at, large) => {
        const { body, key } = tamper(entry.body, at, 'change', large)
        const answer = await read(entry, body)
        if (answer instanceof ChainRestError) expect(answer.code).toBe('malformed')
        else if (!MEASURED.test(key)) expect(integersOf(answer)).toContain(large)
      }),
      { numRuns: 60 },
    )
  })
})

it('refuses an unspent output whose script is no record, rather than lose it', async () => {
  const entry = RICHEST.get('utxos')!
  const [utxo] = JSON.parse(entry.body) as { utxoEntry: object }[]
  const answer = await read(entry, JSON.stringify([{ ...utxo, utxoEntry: { ...utxo?.utxoEntry, scriptPublicKey: 7 } }]))
  expect(answer).toMatchObject({
    code: 'malformed',
    message: expect.stringMatching(/"scriptPublicKey" is not a record$/),
  })
})

describe('a good answer that did not arrive whole, or not alone', () => {
  it.each([...RICHEST])('%s: cut short it is refused', async (_, entry) => {
    if (!isTree(entry)) return
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: entry.body.length - 1 }), async (length) => {
        expect(await read(entry, entry.body.slice(0, length))).toMatchObject({
          name: 'ChainRestError',
          code: 'malformed',
        })
      }),
      { numRuns: 40 },
    )
  })

  it.each([...RICHEST].filter(([name]) => name !== 'anything'))(
    '%s: a page, nothing, or what is no answer to it is refused',
    async (_, entry) => {
      const html = { 'content-type': 'text/html' }
      const refused = { name: 'ChainRestError', code: 'malformed' }
      expect(await read(entry, '<!doctype html><title>Hello</title>', html)).toMatchObject(refused)
      expect(await read(entry, '')).toMatchObject(refused)
      expect(await read(entry, 'null', { 'content-type': 'application/json' })).toMatchObject(refused)
      expect(await read(entry, '"soon"', { 'content-type': 'application/json' })).toSatisfy(isRefusedOrText)
      expect(await read(entry, `${entry.body}}`, { 'content-type': 'application/json' })).toMatchObject(refused)
    },
  )
})

/** What is promised as text of any kind may be any text. */
const isRefusedOrText = (answer: unknown): boolean => answer instanceof ChainRestError || answer === 'soon'

expect.extend({
  /** Every field that both know has the same type in both, or is undefined. */
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

import { describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../../src/model/amount.js'
import { decoders } from '../../../src/rest/decoding/decoders.js'
import { Mismatch, decodeShape, type KINDS, type Shape } from '../../../src/rest/decoding/shape.js'

type Kind = keyof typeof KINDS
type Fields = Readonly<Record<string, Kind | AnyShape>>
type AnyShape = { readonly each: AnyShape } | { readonly has?: Fields; readonly may?: Fields }

const U64 = 2n ** 64n - 1n

/** The greatest value of each kind with a range, and values beyond it. */
const RANGES: Readonly<Partial<Record<Kind, { readonly most: unknown; readonly wrong: readonly unknown[] }>>> = {
  count: { most: Number.MAX_SAFE_INTEGER, wrong: [-1, 2 ** 63, U64] },
  time: { most: 253_402_300_799_999, wrong: [-1, 253_402_300_800_000, U64] },
  u32: { most: 2 ** 32 - 1, wrong: [-1, 2 ** 32, U64] },
  sompi: { most: MAX_SOMPI, wrong: [-1, MAX_SOMPI + 1n, U64] },
  measure: { most: Number.MAX_VALUE, wrong: [-1, Infinity] },
  countDigits: { most: String(2n ** 63n - 1n), wrong: ['-1', String(2n ** 63n), '9'.repeat(40)] },
  timeDigits: { most: '253402300799999', wrong: ['-1', '253402300800000', '9'.repeat(40)] },
  sompiDigits: { most: String(MAX_SOMPI), wrong: ['-1', String(MAX_SOMPI + 1n), '9'.repeat(40)] },
}

/** Why a number is in no range of its own, or where a script is checked. */
const CHECKED: readonly (readonly [leaf: RegExp, reason: string])[] = [
  [/^activeCounts?\.count$/, '-1: unknown'],
  [/^health\.database\.(blueScoreDiff|acceptedTxBlockTimeDiff)$/, 'negative where the database is ahead of the node'],
  [/\.(nonce|sequence|lockTime|gas)$/, 'any value of 64 bits is valid'],
  [/\.(\w+_)?mass$|\.computeMass$/, 'within 64 bits, exact beside it: shown'],
  [/^hashrateHistory\.hashrate_kh$/, 'within 64 bits, exact beside it: shown'],
  [/^(block|blocks|blockList\.blocks)\..*\.amount$/, 'shown: servers hold made-up amounts, as the recordings do'],
  [/^transactions\.(outputs|inputs\..*)\.amount$/, 'a page of an address: requirePossible; elsewhere shown'],
  [/^transactions\.inputs\.previous_outpoint_amount$/, 'a page of an address: requirePossible; elsewhere shown'],
  [/^virtualChain\..*\.(amount|previous_outpoint_amount)$/, 'shown: no state is derived from it'],
  [/^transactions\..*\.script_public_key$/, 'a page of an address: requireScriptOfAddress; elsewhere shown'],
  [/^virtualChain\..*\.(script_public_key|previous_outpoint_script)$/, 'shown: no state is derived from it'],
  [/^(block|blocks|blockList\.blocks)\..*\.scriptPublicKey$/, 'shown: no state is derived from it'],
  [/^utxos\.utxoEntry\.scriptPublicKey\.script$/, 'the planner checks it against the address'],
]

const UNRANGED: readonly Kind[] = ['int', 'digits', 'float', 'u64']

function* leavesOf(shape: AnyShape, path: string): Generator<readonly [path: string, kind: Kind]> {
  if ('each' in shape) return yield* leavesOf(shape.each, path)
  for (const [name, field] of Object.entries({ ...shape.has, ...shape.may }))
    if (typeof field === 'string') yield [`${path}.${name}`, field]
    else yield* leavesOf(field, `${path}.${name}`)
}

/** Functions decode by one of the shapes too: `transactionPage` by `transactions`, `utxoList` by `utxos`. */
const shapes = Object.entries(decoders).filter(([, decoder]) => typeof decoder !== 'function') as [string, AnyShape][]
const leaves = shapes.flatMap(([name, shape]) => [...leavesOf(shape, name)])

const isScript = (path: string): boolean => /script\w*$/i.test(path) && !/signature|type|address/i.test(path)
const unchecked = leaves
  .filter(([path, kind]) => UNRANGED.includes(kind) || (kind === 'text' && isScript(path)))
  .map(([path]) => path)

describe('each number and each script that an indexer sends', () => {
  it('has a range or a reason', () => {
    expect(unchecked.filter((path) => !CHECKED.some(([leaf]) => leaf.test(path)))).toEqual([])
  })

  it('has no reason that no leaf needs', () => {
    expect(CHECKED.filter(([leaf]) => !unchecked.some((path) => leaf.test(path)))).toEqual([])
  })

  it('is an invalid response beyond its range, and only there', () => {
    const ranged = leaves.filter(([, kind]) => RANGES[kind] !== undefined)
    expect(ranged.length).toBeGreaterThan(50)
    for (const [path, kind] of ranged) {
      const { most, wrong } = RANGES[kind]!
      expect(`${path} ${outcomeOf(path, most)}`).toBe(`${path} decoded`)
      for (const value of wrong) expect(`${path} ${outcomeOf(path, value)}`).toBe(`${path} invalid`)
    }
  })
})

function outcomeOf(path: string, value: unknown): 'decoded' | 'invalid' {
  const [name, shape] = shapes.find(([each]) => path.startsWith(`${each}.`))!
  try {
    decodeShape(shape as Shape<unknown>, sampleOf(shape, name, path, value))
    return 'decoded'
  } catch (error) {
    if (error instanceof Mismatch) return 'invalid'
    throw error
  }
}

/** A record as the server sends it, with every field and one item of each list; the leaf at `at` is `value`. */
function sampleOf(shape: AnyShape, path: string, at: string, value: unknown): unknown {
  if ('each' in shape) return [sampleOf(shape.each, path, at, value)]
  const fields = Object.entries({ ...shape.has, ...shape.may }).map(([name, field]) => {
    const inner = `${path}.${name}`
    if (typeof field !== 'string') return [name, sampleOf(field, inner, at, value)]
    return [name, inner === at ? value : SAMPLES[field]]
  })
  return { ...(Object.fromEntries(fields) as object), ...copiesOf(path, at, value) }
}

/** The fields that decoding copies or renames, under the names of the server. */
function copiesOf(path: string, at: string, value: unknown): object {
  if (path === 'health')
    return { kaspadServers: at.includes('chaindServers') ? [{ [at.split('.').at(-1)!]: value }] : [] }
  const copied: Readonly<Record<string, string>> = {
    'transactions.acceptingBlockBlueScore': 'accepting_block_blue_score',
    'transactions.acceptingBlockTime': 'accepting_block_time',
  }
  const name = copied[at]
  return name !== undefined && path === 'transactions' ? { [name]: value } : {}
}

const SAMPLES: Readonly<Record<Kind, unknown>> = {
  text: '',
  digits: '1',
  countDigits: '1',
  timeDigits: '1',
  sompiDigits: '1',
  flag: true,
  int: 1,
  count: 1,
  time: 1,
  u32: 1,
  u64: 1,
  sompi: 1,
  float: 1,
  measure: 1,
  texts: [],
  object: {},
}

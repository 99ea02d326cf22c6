import { describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { methodEntry, notificationEntry } from '../../src/node/messages/lookup.js'
import { methods } from '../../src/node/messages/lookup.js'
import { notifications } from '../../src/node/messages/notifications.js'
import type { NodeNotification, NotificationType, RpcMethod } from '../../src/node/messages/records.js'
import type { Field, Fields, Scalar, Shape } from '../../src/node/messages/shape.js'
import { createAddressOfScript } from '../../src/streams/chain/to-transaction.js'
import { fetchFeeRates } from '../../src/operations/transactions/plan/fee.js'
import { withoutForeignEntries } from '../../src/streams/session/requested-entries.js'
import { validateEntries } from '../../src/streams/utxos/store/invalid-entries.js'
import { createBorshCodec } from '../../src/wrpc/borsh/codec.js'
import { createJsonCodec } from '../../src/wrpc/json/codec.js'

/** Scalars that are a number or a script. Those of `RANGES` are held to a range where a message is decoded. */
const NUMBERS: readonly Scalar[] = ['u64', 'i64', 'f32', 'f64', 'scriptPublicKey']

/** Values that no message of a node may have, and the greatest that it may have. */
const RANGES: Readonly<
  Partial<Record<Scalar, { readonly most: bigint | number; readonly wrong: readonly unknown[] }>>
> = {
  sompi: { most: MAX_SOMPI, wrong: [MAX_SOMPI + 1n, 2n ** 64n - 1n] },
  score: { most: 2n ** 63n - 1n, wrong: [2n ** 63n, 2n ** 64n - 1n] },
  time: { most: 253_402_300_799_999n, wrong: [253_402_300_800_000n, 2n ** 64n - 1n] },
  count: { most: 2n ** 63n - 1n, wrong: [2n ** 63n, 2n ** 64n - 1n] },
  measure: { most: Number.MAX_VALUE, wrong: [-1, Infinity] },
}

/** A leaf of a message: `getBlock.block.header.daaScore`, with its scalar. */
type Leaf = readonly [path: string, scalar: Scalar]

function* leavesOf(shape: Shape, path: string): Generator<Leaf> {
  if (typeof shape === 'string') yield [path, shape]
  else if ('fields' in shape) yield* leavesOfFields(shape.fields, path)
  else if ('union' in shape)
    for (const [name, fields] of Object.entries(shape.union)) yield* leavesOfFields(fields, `${path}(${name})`)
  else if (!('oneOf' in shape || 'scope' in shape)) yield* leavesOf(innerOf(shape), path)
}

function* leavesOfFields(fields: Fields, path: string): Generator<Leaf> {
  for (const [name, field] of Object.entries(fields)) {
    if (isSpread(field)) yield* leavesOfFields(field.spread.box.fields, path)
    else yield* leavesOf(shapeOf(field), `${path}.${name}`)
  }
}

type Inner = Exclude<
  Shape,
  | Scalar
  | { readonly fields: unknown }
  | { readonly oneOf: unknown }
  | { readonly union: unknown }
  | { readonly scope: unknown }
>

const innerOf = (shape: Inner): Shape => Object.values(shape as unknown as Record<string, Shape>)[0]!

const isSpread = (field: Field): field is Extract<Field, { readonly spread: unknown }> =>
  typeof field === 'object' && 'spread' in field

function shapeOf(field: Exclude<Field, { readonly spread: unknown }>): Shape {
  if (typeof field === 'string') return field
  if ('added' in field) return field.added
  if ('is' in field) return field.is
  return 'inline' in field ? field.inline : field
}

const METHODS = Object.keys(methods) as RpcMethod[]
const NOTIFICATIONS = Object.keys(notifications) as NotificationType[]

const LEAVES: readonly Leaf[] = [
  ...METHODS.flatMap((method) => [...leavesOf(methodEntry(method).response, method)]),
  ...NOTIFICATIONS.flatMap((type) => [...leavesOf(notificationEntry(type).data, type)]),
]

/** Where a number or a script without a range is checked, or why it is not. */
const CHECKED: readonly (readonly [leaf: RegExp, check: object | string])[] = [
  [/^(getUtxosByAddresses\.entries|utxos-changed\.(added|removed))\.(amount|scriptPublicKey)$/, validateEntries],
  [/^getUtxosByAddresses\.entries\.scriptPublicKey$/, withoutForeignEntries],
  [
    /^(getUtxosByAddresses\.entries|utxos-changed\.(added|removed))\.blockDaaScore$/,
    'an entry ahead of the known score is immature until that score',
  ],
  [/^getVirtualChainFromBlockV2\..*\.scriptPublicKey$/, createAddressOfScript],
  [
    /^(getBlock|getBlocks|getMempool\w+|block-added|submitTransactionReplacement)\..*\.outputs\.scriptPublicKey$/,
    createAddressOfScript,
  ],
  [/^getBlockTemplate\..*\.outputs\.scriptPublicKey$/, 'a template is mined as it is'],
  [/\.utxoEntry\.blockDaaScore$/, 'read from no page of the chain'],
  [/\.(lockTime|gas)$/, 'any value is valid: shown, never counted'],
  [/\.inputs\.sequence$/, 'any value is valid: it commits to amounts'],
  [/[hH]eaders?\.nonce$/, 'any value is valid'],
  [/^subscribe\.id$/, 'a number of the node’s own, read by nothing'],
  [/^getDaaScoreTimestampEstimate\.timestamps$/, 'for a score far ahead a node returns 2^64 - 1'],
  [/^estimateNetworkHashesPerSecond\./, 'a rate without a bound'],
  [/^getFeeEstimate(Experimental)?\..*\.feerate$/, fetchFeeRates],
  [/^getFeeEstimate(Experimental)?\..*\.estimatedSeconds$/, 'shown; infinite where the mempool is full'],
  [/^getFeeEstimateExperimental\.verbose\.nextBlockTemplateFeerate/, 'shown; -1 while the mempool is empty'],
  [/^getSubnetwork\.gasLimit$/, 'implemented by no node'],
  [/^getConnectedPeerInfo\.peerInfo\.(lastPingDuration|timeOffset|timeConnected)$/, 'what a peer stated, shown'],
  [/^getConnections\.profileData\./, 'the load of the node’s machine, shown'],
  [/^getMetrics\.processMetrics\.(cpuUsage|diskIo\w+PerSec)$/, 'the load of the node’s machine, shown'],
]

const unchecked = LEAVES.filter(([, scalar]) => NUMBERS.includes(scalar))

describe('each number and each script that a node sends', () => {
  it('has a range, a check by name, or a reason', () => {
    expect(unchecked.filter(([path]) => !CHECKED.some(([leaf]) => leaf.test(path)))).toEqual([])
  })

  it('has no check or reason that no leaf needs', () => {
    expect(CHECKED.filter(([leaf]) => !unchecked.some(([path]) => leaf.test(path)))).toEqual([])
  })
})

/** A value of a shape with every option and one item of each list; the leaf at `at` is `value`. */
function sampleOf(shape: Shape, path: string, at: string, value: unknown): unknown {
  const of = (inner: Shape): unknown => sampleOf(inner, path, at, value)
  if (typeof shape === 'string') return path === at ? value : SAMPLES[shape]
  if ('fields' in shape) return fieldsOf(shape.fields, path, at, value)
  if ('union' in shape) {
    const [type = '', fields = {}] = Object.entries(shape.union)[0] ?? []
    return { type, ...fieldsOf(fields, `${path}(${type})`, at, value) }
  }
  if ('oneOf' in shape) return Object.keys(shape.oneOf)[0]
  if ('scope' in shape) throw new Error('No message of a node has a scope')
  if ('levels' in shape) return [[of(shape.levels)]]
  return 'vec' in shape || 'boxvec' in shape ? [of(innerOf(shape))] : of(innerOf(shape))
}

function fieldsOf(fields: Fields, path: string, at: string, value: unknown): object {
  const parts = Object.entries(fields).map(([name, field]) =>
    isSpread(field)
      ? fieldsOf(field.spread.box.fields, path, at, value)
      : { [name]: sampleOf(shapeOf(field), `${path}.${name}`, at, value) },
  )
  return Object.assign({}, ...parts) as object
}

const ADDRESS = 'kaspasim:qrjld004k4aa5m4savjndusd56jk739pl5d90y6j4xuw2dyyjqrx6js57amr9'

const SAMPLES: Readonly<Record<Scalar, unknown>> = {
  u8: 1,
  u16: 1,
  u32: 1,
  u64: 1n,
  i64: 1n,
  sompi: 1n,
  score: 1n,
  time: 1n,
  count: 1n,
  measure: 1,
  f32: 1,
  f64: 1,
  bool: true,
  text: '',
  hash: 'ab'.repeat(32),
  bytes: 'ab',
  byteList: 'ab',
  subnetworkId: '00'.repeat(20),
  blueWork: '01'.repeat(24),
  scriptPublicKey: { version: 0, script: '51' },
  address: ADDRESS,
  networkType: 'simnet',
  networkId: 'simnet',
  ip: '127.0.0.1',
  uuid: '00000000-0000-0000-0000-000000000000',
}

const ranged = LEAVES.filter(([, scalar]) => RANGES[scalar] !== undefined)

describe.each([createBorshCodec(), createJsonCodec()])('a message in $encoding', (codec) => {
  /** `response`, `notification` or `malformed`: how the message is decoded. */
  const decode = (path: string, value: unknown): string => {
    const [name = ''] = path.split('.')
    if (name in notifications) {
      const type = name as NotificationType
      const data = sampleOf(notificationEntry(type).data, name, path, value)
      return codec.decodeMessage(codec.encodeNotification({ type, data } as NodeNotification)).kind
    }
    const method = name as RpcMethod
    const response = sampleOf(methodEntry(method).response, name, path, value)
    const frame = codec.encodeResponse(1n, method, response as never)
    return codec.decodeMessage(frame, () => method).kind
  }

  it('is malformed where a number is beyond its range, and only there', () => {
    expect(ranged.length).toBeGreaterThan(100)
    for (const [path, scalar] of ranged) {
      const { most, wrong } = RANGES[scalar]!
      expect(`${path} ${decode(path, most)}`).toBe(`${path} ${kindOf(path)}`)
      for (const value of wrong) expect(`${path} ${decode(path, value)}`).toBe(`${path} malformed`)
    }
  })
})

const kindOf = (path: string): string =>
  Object.hasOwn(notifications, path.split('.', 1)[0] ?? '') ? 'notification' : 'response'

it('is malformed where a blue work in JSON has more than 192 bits: it is compared as text', () => {
  const codec = createJsonCodec()
  const response = sampleOf(methodEntry('getBlock').response, 'getBlock', '', undefined)
  const frame = String(codec.encodeResponse(1n, 'getBlock', response as never))
  const longer = frame.replace(`"${'01'.repeat(24)}"`, `"${'01'.repeat(25)}"`)
  expect(longer).not.toBe(frame)
  expect(codec.decodeMessage(longer, () => 'getBlock').kind).toBe('malformed')
})

it.each([createBorshCodec(), createJsonCodec()])('holds no client to the ranges of a node, in $encoding', (codec) => {
  const request = sampleOf(
    methodEntry('submitTransaction').request,
    'submitTransaction',
    'submitTransaction.transaction.outputs.value',
    2n ** 64n - 1n,
  )
  const frame = codec.encodeRequest(1n, 'submitTransaction', request as never)
  expect(codec.decodeRequest(frame)).toMatchObject({ kind: 'request' }) // a node replies why it refuses it
})

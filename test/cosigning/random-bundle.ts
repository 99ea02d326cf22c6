import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import { createRandom, type Random } from '../../src/devnode/machine.js'
import { toHex } from '../../src/model/hex.js'
import type { KeyOrigins, KeySource, Pskt, PsktInput, PsktOutput } from '../../src/model/pskb/records.js'
import type { JsonObject, JsonValue } from '../../src/model/pskb/strict-json.js'
import { toPartial } from '../../src/operations/cosigning/verify-signature.js'

/** A bundle of anything that the format has; the same for the same seed. */
export function randomBundle(seed: number): readonly Pskt[] {
  const random = createRandom(seed)
  return many(random, 1, 3, () => randomPskt(random))
}

const below = (random: Random, end: number): number => Math.floor(random() * end)
const maybe = <T>(random: Random, make: () => T): T | null => (random() < 0.5 ? null : make())
const many = <T>(random: Random, least: number, most: number, make: (at: number) => T): T[] =>
  Array.from({ length: least + below(random, most - least + 1) }, (_, at) => make(at))
const pick = <T>(random: Random, list: readonly T[]): T => list[below(random, list.length)]!
const bytes = (random: Random, length: number): string =>
  Array.from({ length }, () => below(random, 256).toString(16).padStart(2, '0')).join('')
const uint = (random: Random): bigint =>
  pick(random, [0n, 1n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n, BigInt(below(random, 2 ** 32))])

const KEYS = Array.from({ length: 12 }, (_, at) => Uint8Array.of(...new Uint8Array(31).fill(7), at + 1))
const PUBLIC_KEYS = KEYS.map((key) => toHex(secp256k1.getPublicKey(key, true)))
const XPUBS = KEYS.map((key) => {
  const node = HDKey.fromMasterSeed(key)
  return { text: node.publicExtendedKey, key: toHex(node.publicKey!) }
})
const ECDSA = KEYS.map((key) => toHex(secp256k1.sign(new Uint8Array(32), key, { prehash: false, lowS: true })))

const script = (random: Random) => ({
  version: pick(random, [0, 0, 0, 1, 65535]),
  script: bytes(random, below(random, 40)),
})

const source = (random: Random): KeySource => ({
  keyFingerprint: bytes(random, 4),
  derivationPath: ['m', ...many(random, 0, 5, () => `${below(random, 2 ** 31)}${pick(random, ['', "'"])}`)].join('/'),
})

/** In the order of their keys, as the writer has them. */
const byKey = <T>(random: Random, make: (key: string, at: number) => T): ReadonlyMap<string, T> =>
  new Map(
    PUBLIC_KEYS.filter(() => random() < 0.2)
      .sort()
      .map((key, at) => [key, make(key, at)]),
  )

const origins = (random: Random): KeyOrigins => byKey(random, () => maybe(random, () => source(random)))

const NAMES = ['a', 'Z', 'é', '__proto__', 'constructor', '\u{10000}', '\uffff', 'a"b', 'a\\b', '\u0001', '\n', 'x y']

const object = (random: Random, depth = 0): JsonObject =>
  new Map(NAMES.filter(() => random() < 0.1).map((name) => [name, json(random, depth + 1)]))

function json(random: Random, depth: number): JsonValue {
  const scalars: readonly (() => JsonValue)[] = [
    () => null,
    () => random() < 0.5,
    () => uint(random),
    () => pick(random, NAMES),
  ]
  const nested: readonly (() => JsonValue)[] = [
    () => object(random, depth),
    () => many(random, 0, 3, () => json(random, depth + 1)),
  ]
  return pick(random, depth > 3 ? scalars : [...scalars, ...nested])()
}

function randomPskt(random: Random): Pskt {
  const version = below(random, 3)
  return {
    global: {
      version,
      txVersion: 0,
      fallbackLockTime: maybe(random, () => uint(random)),
      inputsModifiable: random() < 0.5,
      outputsModifiable: random() < 0.5,
      xpubs: new Map(
        XPUBS.filter(() => random() < 0.2)
          .sort((a, b) => (a.key < b.key ? -1 : 1))
          .map(({ text }) => [text, source(random)]),
      ),
      id: maybe(random, () => bytes(random, 32)),
      proprietaries: object(random),
      unknowns: object(random),
      payload: maybe(random, () => bytes(random, below(random, 20))),
    },
    inputs: many(random, 0, 3, () => randomInput(random)),
    outputs: many(random, 0, 3, () => randomOutput(random)),
    unknowns: new Map(),
  }
}

const randomInput = (random: Random): PsktInput => ({
  utxoEntry: maybe(random, () => ({
    amount: uint(random),
    scriptPublicKey: script(random),
    blockDaaScore: uint(random),
    isCoinbase: random() < 0.5,
    covenantId: maybe(random, () => bytes(random, 32)),
  })),
  previousOutpoint: { transactionId: bytes(random, 32), index: pick(random, [0, 1, 2 ** 32 - 1]) },
  sequence: maybe(random, () => uint(random)),
  minTime: maybe(random, () => uint(random)),
  partialSigs: byKey(random, (_, at) =>
    random() < 0.5 ? toPartial(bytes(random, 64), false) : toPartial(ECDSA[at]!, true),
  ),
  sighashType: pick(random, [0, 1, 2, 4, 129, 255]),
  redeemScript: maybe(random, () => bytes(random, below(random, 40))),
  sigOpCount: maybe(random, () => below(random, 256)),
  bip32Derivations: origins(random),
  finalScriptSig: maybe(random, () => bytes(random, below(random, 40))),
  proprietaries: object(random),
  unknowns: object(random),
})

const randomOutput = (random: Random): PsktOutput => ({
  amount: uint(random),
  scriptPublicKey: script(random),
  redeemScript: maybe(random, () => bytes(random, below(random, 40))),
  bip32Derivations: origins(random),
  covenant: null,
  proprietaries: object(random),
  unknowns: object(random),
})

import { toHex } from '../hex.js'
import type { ScriptPublicKey } from '../utxo.js'
import { PSKB_PREFIX } from './read-bundle.js'
import type {
  KeyOrigins,
  KeySource,
  PartialSignature,
  Pskt,
  PsktGlobal,
  PsktInput,
  PsktOutput,
  PsktUtxoEntry,
} from './records.js'
import type { JsonValue } from './strict-json.js'

export interface WriteOptions {
  /** Whether the hex is in upper case, which needs fewer modules of a QR code. */
  readonly upperCase?: boolean | undefined
}

/** The text of a bundle, byte for byte as the crate kaspa-wallet-pskt writes it: `PSKB` and lower-case hex of JSON. */
export function writeBundle(bundle: readonly Pskt[], { upperCase = false }: WriteOptions = {}): string {
  const hex = toHex(new TextEncoder().encode(bundleJson(bundle)))
  return PSKB_PREFIX + (upperCase ? hex.toUpperCase() : hex)
}

/** Its JSON. */
export const bundleJson = (bundle: readonly Pskt[]): string => list(bundle, writePskt)

const writePskt = ({ global, inputs, outputs, unknowns }: Pskt): string =>
  object([
    ['global', writeGlobal(global, inputs.length, outputs.length)],
    ['inputs', list(inputs, writeInput)],
    ['outputs', list(outputs, writeOutput)],
    ...others(unknowns),
  ])

const writeGlobal = (global: PsktGlobal, inputCount: number, outputCount: number): string =>
  object([
    ['version', String(global.version)],
    ['txVersion', String(global.txVersion)],
    ['fallbackLockTime', integer(global.fallbackLockTime)],
    ['inputsModifiable', String(global.inputsModifiable)],
    ['outputsModifiable', String(global.outputsModifiable)],
    ['inputCount', String(inputCount)],
    ['outputCount', String(outputCount)],
    ['xpubs', object([...global.xpubs].map(([xpub, source]) => [xpub, writeKeySource(source)]))],
    ['id', hex(global.id)],
    ['proprietaries', writeJson(global.proprietaries)],
    ...others(global.unknowns),
    ['payload', hex(global.payload)],
  ])

const writeInput = (input: PsktInput): string =>
  object([
    ['utxoEntry', input.utxoEntry === null ? 'null' : writeUtxoEntry(input.utxoEntry)],
    [
      'previousOutpoint',
      `{"transactionId":"${input.previousOutpoint.transactionId}","index":${input.previousOutpoint.index}}`,
    ],
    ['sequence', integer(input.sequence)],
    ['minTime', integer(input.minTime)],
    ['partialSigs', byKey(input.partialSigs, writeSignature)],
    ['sighashType', String(input.sighashType)],
    ['redeemScript', hex(input.redeemScript)],
    ['sigOpCount', String(input.sigOpCount)],
    ['bip32Derivations', writeOrigins(input.bip32Derivations)],
    ['finalScriptSig', hex(input.finalScriptSig)],
    ['proprietaries', writeJson(input.proprietaries)],
    ...others(input.unknowns),
  ])

const writeOutput = (output: PsktOutput): string =>
  object([
    ['amount', String(output.amount)],
    ['scriptPublicKey', writeScript(output.scriptPublicKey)],
    ['redeemScript', hex(output.redeemScript)],
    ['bip32Derivations', writeOrigins(output.bip32Derivations)],
    [
      'covenant',
      output.covenant === null
        ? 'null'
        : `{"authorizingInput":${output.covenant.authorizingInput},"covenantId":"${output.covenant.covenantId}"}`,
    ],
    ['proprietaries', writeJson(output.proprietaries)],
    ...others(output.unknowns),
  ])

const writeUtxoEntry = (entry: PsktUtxoEntry): string =>
  object([
    ['amount', String(entry.amount)],
    ['scriptPublicKey', writeScript(entry.scriptPublicKey)],
    ['blockDaaScore', String(entry.blockDaaScore)],
    ['isCoinbase', String(entry.isCoinbase)],
    ['covenantId', hex(entry.covenantId)],
  ])

const writeScript = ({ version, script }: ScriptPublicKey): string =>
  `"${version.toString(16).padStart(4, '0')}${script}"`

const writeSignature = ({ scheme, signature }: PartialSignature): string =>
  `{"${scheme === 'schnorr' ? 'schnorr' : 'eCDSA'}":"${signature}"}`

const writeOrigins = (origins: KeyOrigins): string =>
  byKey(origins, (source) => (source === null ? 'null' : writeKeySource(source)))

const writeKeySource = ({ keyFingerprint, derivationPath }: KeySource): string =>
  `{"keyFingerprint":"${keyFingerprint}","derivationPath":"${derivationPath}"}`

/** Public keys in the order of their bytes. */
const byKey = <Value>(values: ReadonlyMap<string, Value>, write: (value: Value) => string): string =>
  object([...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => [key, write(value)]))

const others = (unknowns: ReadonlyMap<string, JsonValue>): readonly Member[] =>
  sorted(unknowns).map(([name, value]) => [name, writeJson(value)])

function writeJson(value: JsonValue): string {
  if (value instanceof Map) return object(sorted(value).map(([name, each]) => [name, writeJson(each)]))
  if (Array.isArray(value)) return list(value, writeJson)
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

/** In the order of the bytes of their names, which is that of the code points. */
const sorted = (members: ReadonlyMap<string, JsonValue>): readonly (readonly [string, JsonValue])[] =>
  [...members].sort(([a], [b]) => compareCodePoints(a, b))

function compareCodePoints(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = (a.codePointAt(at) ?? 0) - (b.codePointAt(at) ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

type Member = readonly [name: string, json: string]

const object = (members: readonly Member[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

const list = <Item>(items: readonly Item[], write: (item: Item) => string): string => `[${items.map(write).join(',')}]`

const integer = (value: bigint | null): string => String(value)
const hex = (value: string | null): string => (value === null ? 'null' : `"${value}"`)

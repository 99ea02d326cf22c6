import { invalidPskb } from '../../errors/cosigning-errors.js'
import { fromHex } from '../hex.js'
import type { CovenantBinding } from '../transaction.js'
import type { Outpoint, ScriptPublicKey } from '../utxo.js'
import {
  Members,
  nullable,
  readArray,
  readBoolean,
  readHex,
  readObject,
  readSmallUint,
  readUint,
  type Read,
} from './members.js'
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
import { parseStrictJson, type JsonValue } from './strict-json.js'

/** What a text may hold at most. */
export interface PskbLimits {
  /** Characters. */
  readonly length: number
  readonly transactions: number
  /** Of all transactions; as many outputs. */
  readonly inputs: number
}

/** Of texts from elsewhere. */
export const PSKB_LIMITS: PskbLimits = { length: 2 ** 20, transactions: 100, inputs: 1000 }

export const PSKB_PREFIX = 'PSKB'

/**
 * The transactions of a `PSKB` text, as it states them: nothing is verified, and no key is known to be a point of the
 * curve. Throws `InvalidPskbError` for anything that two readers could read in two ways, and for what the crate
 * kaspa-wallet-pskt refuses.
 */
export function readBundle(text: string, limits: PskbLimits = PSKB_LIMITS): readonly Pskt[] {
  if (text.length > limits.length) throw invalidPskb('length')
  if (!text.startsWith(PSKB_PREFIX)) throw invalidPskb('prefix')
  const bundle = readArray(parseStrictJson(decode(text.slice(PSKB_PREFIX.length))), '$', limits.transactions, readPskt)
  if (bundle.length === 0) throw invalidPskb('count')
  for (const side of ['inputs', 'outputs'] as const)
    if (bundle.reduce((sum, each) => sum + each[side].length, 0) > limits.inputs) throw invalidPskb('count')
  return bundle
}

function decode(hex: string): string {
  const bytes = fromHex(readHex()(hex, '$'))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidPskb('utf-8') // the platform's error has nothing to add
  }
}

const readPskt: Read<Pskt> = (value, at) => {
  const members = new Members(value, at)
  const [inputs, outputs] = [members.get('inputs', listOf(readInput)), members.get('outputs', listOf(readOutput))]
  const counts = { inputCount: inputs.length, outputCount: outputs.length }
  const global = members.get('global', (each, path) => readGlobal(each, path, counts))
  return { global, inputs, outputs, unknowns: members.unknowns() }
}

const listOf =
  <Item>(read: Read<Item>): Read<readonly Item[]> =>
  (value, at) =>
    readArray(value, at, Infinity, read)

type Counts = Readonly<Record<'inputCount' | 'outputCount', number>>

function readGlobal(value: JsonValue, at: string, counts: Counts): PsktGlobal {
  const members = new Members(value, at)
  for (const name of ['inputCount', 'outputCount'] as const)
    members.get(name, (count, path) => {
      if (readUint(64)(count, path) !== BigInt(counts[name])) throw invalidPskb('count', path)
    })
  return {
    version: members.get('version', readSmallUint(8)),
    txVersion: members.get('txVersion', readSmallUint(16)),
    fallbackLockTime: members.optional('fallbackLockTime', readUint(64)),
    inputsModifiable: members.get('inputsModifiable', readBoolean),
    outputsModifiable: members.get('outputsModifiable', readBoolean),
    xpubs: members.get('xpubs', readXpubs),
    id: members.optional('id', readHex(32)),
    proprietaries: members.get('proprietaries', readObject),
    payload: members.get('payload', nullable(readHex())),
    unknowns: members.unknowns(),
  }
}

const readInput: Read<PsktInput> = (value, at) => {
  const members = new Members(value, at)
  return {
    utxoEntry: members.optional('utxoEntry', readUtxoEntry),
    previousOutpoint: members.get('previousOutpoint', readOutpoint),
    sequence: members.optional('sequence', readUint(64)),
    minTime: members.optional('minTime', readUint(64)),
    partialSigs: members.get('partialSigs', (each, path) => readByKey(each, path, readSignature)),
    sighashType: members.get('sighashType', readSmallUint(8)),
    redeemScript: members.get('redeemScript', nullable(readHex())),
    sigOpCount: members.optional('sigOpCount', readSmallUint(8)),
    bip32Derivations: members.get('bip32Derivations', readOrigins),
    finalScriptSig: members.get('finalScriptSig', nullable(readHex())),
    proprietaries: members.get('proprietaries', readObject),
    unknowns: members.unknowns(),
  }
}

const readOutput: Read<PsktOutput> = (value, at) => {
  const members = new Members(value, at)
  return {
    amount: members.get('amount', readUint(64)),
    scriptPublicKey: members.get('scriptPublicKey', readScript),
    redeemScript: members.get('redeemScript', nullable(readHex())),
    bip32Derivations: members.get('bip32Derivations', readOrigins),
    covenant: members.optional('covenant', readCovenant),
    proprietaries: members.get('proprietaries', readObject),
    unknowns: members.unknowns(),
  }
}

const readUtxoEntry: Read<PsktUtxoEntry> = (value, at) => {
  const members = new Members(value, at)
  const entry = {
    amount: members.get('amount', readUint(64)),
    scriptPublicKey: members.get('scriptPublicKey', readScript),
    blockDaaScore: members.get('blockDaaScore', readUint(64)),
    isCoinbase: members.get('isCoinbase', readBoolean),
    covenantId: members.optional('covenantId', readHex(32)),
  }
  requireNoOther(members, at)
  return entry
}

const readOutpoint: Read<Outpoint> = (value, at) => {
  const members = new Members(value, at)
  const transactionId = members.get('transactionId', readHex(32))
  const index = members.get('index', readSmallUint(32))
  requireNoOther(members, at)
  return { transactionId, index }
}

const readCovenant: Read<CovenantBinding> = (value, at) => {
  const members = new Members(value, at)
  const authorizingInput = members.get('authorizingInput', readSmallUint(16))
  const covenantId = members.get('covenantId', readHex(32))
  requireNoOther(members, at)
  return { authorizingInput, covenantId }
}

const readKeySource: Read<KeySource> = (value, at) => {
  const members = new Members(value, at)
  const keyFingerprint = members.get('keyFingerprint', readHex(4))
  const derivationPath = members.get('derivationPath', readPath)
  requireNoOther(members, at)
  return { keyFingerprint, derivationPath }
}

/** The crate drops other members here, so that they could not be written back alike. */
function requireNoOther(members: Members, at: string): void {
  if (members.unknowns().size > 0) throw invalidPskb('name', at)
}

/** Two bytes of version, then the script. */
const readScript: Read<ScriptPublicKey> = (value, at) => {
  const hex = readHex()(value, at)
  if (hex.length < 4) throw invalidPskb('hex', at)
  return { version: parseInt(hex.slice(0, 4), 16), script: hex.slice(4) }
}

const readPath: Read<string> = (value, at) => {
  if (typeof value !== 'string') throw invalidPskb('type', at)
  const [root, ...steps] = value.split('/')
  if (root === 'm' && steps.length <= 255 && steps.every(isStep)) return value
  throw invalidPskb('type', at)
}

const isStep = (step: string): boolean => STEP.test(step) && Number.parseInt(step, 10) < 2 ** 31
const STEP = /^(?:0|[1-9]\d{0,9})'?$/

const readXpubs: Read<ReadonlyMap<string, KeySource>> = (value, at) =>
  new Map([...readObject(value, at)].map(([xpub, source]) => [readXpub(xpub, at), readKeySource(source, `${at}.*`)]))

const readXpub = (text: string, at: string): string => {
  if (XPUB.test(text)) return text
  throw invalidPskb('key', at)
}

/** 78 bytes and a checksum in Base58. */
const XPUB = /^[1-9A-HJ-NP-Za-km-z]{111,112}$/

const readOrigins: Read<KeyOrigins> = (value, at) => readByKey(value, at, nullable(readKeySource))

/** Reads an object whose names are compressed public keys. Two that differ in case are one key twice. */
function readByKey<Value>(value: JsonValue, at: string, read: Read<Value>): ReadonlyMap<string, Value> {
  const members = new Map<string, Value>()
  for (const [name, member] of readObject(value, at)) {
    const key = name.toLowerCase()
    if (!COMPRESSED.test(key)) throw invalidPskb('key', at)
    if (members.has(key)) throw invalidPskb('duplicate', at)
    members.set(key, read(member, `${at}.*`))
  }
  return members
}

const COMPRESSED = /^0[23][0-9a-f]{64}$/

/** `eCDSA` is the crate's spelling. */
const readSignature: Read<PartialSignature> = (value, at) => {
  const members = [...readObject(value, at)]
  const [name, signature = null] = members[0] ?? []
  if (members.length !== 1) throw invalidPskb('count', at)
  if (name === 'schnorr') return { scheme: 'schnorr', signature: readHex(64)(signature, at) }
  if (name === 'eCDSA') return { scheme: 'ecdsa', signature: readHex()(signature, at) }
  throw invalidPskb('name', at)
}

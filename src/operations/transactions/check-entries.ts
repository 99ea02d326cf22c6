import { invalidArgument, type ChainError } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import { type UtxoColumns, markDead, noDeadRows, type DeadRows, isDead } from '../../model/utxo-columns/columns.js'
import { outpointAt, OutpointFilter } from '../../model/utxo-columns/outpoint-filter.js'
import { createTarget, finishColumns, writeEntry, toEntry } from '../../model/utxo-columns/records.js'
import { createUtxoPart, createUtxoRows } from '../../model/utxo-source/rows.js'
import { UtxoSource } from '../../model/utxo-source/source.js'
import {
  toOutpointKey,
  type OutpointKey,
  type UtxoEntry,
  type Outpoint,
  type ScriptPublicKey,
} from '../../model/utxo.js'
import {
  INVALID_SCRIPT,
  isOfNetwork,
  otherNetwork,
  type ClassifyScripts,
  type ScriptClasses,
} from './script-classes.js'
import { MAX_SOMPI } from '../../model/amount.js'
import { isHex } from '../../model/hex.js'

/** The UTXOs of a payment, checked. */
export interface CheckedUtxos {
  readonly source: UtxoSource
  /** The classes of the scripts of each part. */
  readonly classes: readonly ScriptClasses[]
}

/**
 * Checks the entries of a payment: records are copied to columns; those of a source were checked when they were
 * reported, apart from the classes of their scripts. Throws `ChainError` (`invalid-argument`).
 */
export function checkEntries(
  given: readonly UtxoEntry[] | UtxoSource,
  network: ChainNetwork,
  classify: ClassifyScripts,
): CheckedUtxos {
  const source = given instanceof UtxoSource ? given : toSource(given, network, classify)
  const classes = source.rows.parts.map(({ columns: { scripts } }) => {
    if (!scripts.every(({ address }) => isOfNetwork(address, network))) throw otherNetwork('entries', network)
    return classify(scripts)
  })
  return { source, classes }
}

/** Copies records: the argument may be a Vue proxy, or change during the calls to the node. */
function toSource(given: readonly UtxoEntry[], network: ChainNetwork, classify: ClassifyScripts): UtxoSource {
  if (!Array.isArray(given)) throw invalidArgument('entries', '"entries" must be an array of UTXO entries', HINT)
  const target = createTarget(given.length)
  const check = createEntryCheck(network)
  const ids = new Set<string>()
  given.forEach((each: Partial<UtxoEntry> | null | undefined, at) => {
    const entry = check(each, at)
    ids.add(entry.outpoint.transactionId)
    writeEntry(target, at, entry)
  })
  const columns = finishColumns(target, given.length)
  // needs no text for each outpoint where the transactions are distinct, as in most wallets
  const dead = ids.size === given.length ? null : duplicatesOf(columns, classify(columns.scripts))
  return UtxoSource.of(createUtxoRows([createUtxoPart(columns, dead)]), null)
}

const HINT = 'Or the source of a UTXO state, such as useUtxo().source.value.'

/** The rows whose outpoint a later row repeats. */
function duplicatesOf(columns: UtxoColumns, classes: ScriptClasses): DeadRows {
  const latest = new Map<OutpointKey, number>()
  const dead = noDeadRows(columns.count)
  for (let row = 0; row < columns.count; row++) {
    if (classes[columns.scriptOf[row] ?? 0] === INVALID_SCRIPT) continue
    const key = toOutpointKey(outpointAt(columns, row))
    const earlier = latest.get(key)
    if (earlier !== undefined) markDead(dead, earlier)
    latest.set(key, row)
  }
  return dead
}

type UncheckedEntry = Partial<UtxoEntry> | null | undefined

/** Validates entries of a caller, each with its position. Throws `ChainError` (`invalid-argument`). */
function createEntryCheck(network: ChainNetwork): (entry: UncheckedEntry, at: number) => UtxoEntry {
  /** Copies, by the object: decoders return one object for equal scripts. */
  const scripts = new Map<unknown, ScriptPublicKey>()
  const copyOf = (script: Partial<ScriptPublicKey> | undefined, at: number): ScriptPublicKey => {
    const known = scripts.get(script)
    if (known !== undefined) return known
    if (!isScript(script)) throw invalidField(at, 'scriptPublicKey', 'must be a version and a script, in hex')
    const copy = { version: script.version, script: script.script }
    scripts.set(script, copy)
    return copy
  }
  return (entry, at) => {
    const { address, outpoint, amount, scriptPublicKey, blockDaaScore, isCoinbase, covenantId } = entry ?? {}
    if (!isOutpoint(outpoint)) throw invalidField(at, 'outpoint', 'is not the outpoint of a transaction output')
    if (!isAmount(amount))
      throw invalidField(at, 'amount', 'must be a bigint above zero, and at most the maximum supply')
    const script = copyOf(scriptPublicKey, at)
    if (typeof blockDaaScore !== 'bigint') throw invalidField(at, 'blockDaaScore', 'must be a bigint')
    if (typeof isCoinbase !== 'boolean') throw invalidField(at, 'isCoinbase', 'must be true or false')
    if (!isTextOrAbsent(address)) throw invalidField(at, 'address', 'must be text, or left out')
    if (!isTextOrAbsent(covenantId)) throw invalidField(at, 'covenantId', 'must be hex, or left out')
    if (!isOfNetwork(address, network)) throw otherNetwork(`entries[${at}].address`, network)
    return {
      address,
      outpoint,
      amount,
      scriptPublicKey: script,
      blockDaaScore: toU64(blockDaaScore),
      isCoinbase,
      covenantId,
    }
  }
}

const invalidField = (at: number, field: keyof UtxoEntry, what: string): ChainError =>
  invalidArgument(`entries[${at}].${field}`, `"entries[${at}].${field}" ${what}`)

const isOutpoint = (outpoint: Partial<Outpoint> | undefined): outpoint is Outpoint =>
  isHex(outpoint?.transactionId, 32) && isUint(outpoint.index, 32)

const isScript = (script: Partial<ScriptPublicKey> | undefined): script is ScriptPublicKey =>
  isHex(script?.script) && isUint(script.version, 16)

const isAmount = (amount: unknown): amount is bigint => typeof amount === 'bigint' && amount > 0n && amount <= MAX_SOMPI

const isTextOrAbsent = (value: unknown): value is string | undefined => value === undefined || typeof value === 'string'

/** Hashing would truncate a longer number. */
const isUint = (value: unknown, bits: number): boolean =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** bits

const MAX_U64 = 2n ** 64n - 1n

/** A DAA score as columns hold it. One outside of their range is below or above all others in either form. */
const toU64 = (score: bigint): bigint => (score < 0n ? 0n : score > MAX_U64 ? MAX_U64 : score)

/** The entries of some outpoints, spendable or not, apart from those whose script is not that of their address. */
export function findEntries(utxos: CheckedUtxos, outpoints: readonly Outpoint[]): ReadonlyMap<OutpointKey, UtxoEntry> {
  const filter = new OutpointFilter(outpoints)
  const found = new Map<OutpointKey, UtxoEntry>()
  eachRow(utxos, (columns, row, isInvalid) => {
    if (isInvalid || !filter.has(columns, row)) return
    const entry = toEntry(columns, row)
    found.set(toOutpointKey(entry.outpoint), entry)
  })
  return found
}

/** The outpoints of entries that are never spent, because their script is not that of their address. */
export function invalidOutpoints(utxos: CheckedUtxos): readonly Outpoint[] {
  const invalid: Outpoint[] = []
  if (!utxos.classes.some((classes) => classes.includes(INVALID_SCRIPT))) return invalid
  eachRow(utxos, (columns, row, isInvalid) => {
    if (isInvalid) invalid.push(outpointAt(columns, row))
  })
  return invalid
}

function eachRow(
  { source, classes }: CheckedUtxos,
  visit: (columns: UtxoColumns, row: number, isInvalid: boolean) => void,
): void {
  source.rows.parts.forEach(({ columns, dead }, part) => {
    for (let row = 0; row < columns.count; row++) {
      if (isDead(dead, row)) continue
      visit(columns, row, classes[part]?.[columns.scriptOf[row] ?? 0] === INVALID_SCRIPT)
    }
  })
}

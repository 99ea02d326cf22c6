import { isValidAddress, toScriptPublicKey } from '../address.js'
import { MAX_SOMPI } from '../amount.js'
import { isHex, toHex } from '../hex.js'
import type { ChainNetwork } from '../network.js'
import { COINBASE, COVENANT, allocateColumns, toColumns, type UtxoColumns, isDead } from '../utxo-columns/columns.js'
import { createTarget } from '../utxo-columns/records.js'
import { copyRows, selectCovenants } from '../utxo-columns/select-rows.js'
import { isAbove, toBound } from '../utxo-columns/words.js'
import type { UtxoPart } from '../utxo-source/source.js'
import { seal, unseal, type Sealed, LAST_STATE_VERSION, parseJson } from './summary.js'

/** UTXOs that are stored at most of a set of addresses: a million takes 1.7 s to write. */
export const MAX_STORED_UTXOS = 100_000

/** Bytes of the arrays, for each UTXO. */
const BYTES_PER_ROW = 57

/**
 * The record of the UTXOs of a set of addresses, in steps of some ms: the arrays of their columns in the order of
 * bytes of all browsers, after a header of the addresses, whose scripts follow from them. No field can hold a secret.
 * Undefined where they are too many.
 */
export function* encodeColumns(
  parts: readonly UtxoPart[],
  network: ChainNetwork,
): Generator<undefined, Sealed | undefined> {
  const count = parts.reduce((sum, { live }) => sum + live, 0)
  if (count > MAX_STORED_UTXOS) return undefined
  const { addresses, arrays, covenants } = yield* concatParts(parts, count)
  const header = new TextEncoder().encode(JSON.stringify([LAST_STATE_VERSION, network, count, addresses, covenants]))
  return yield* seal([Uint8Array.from(littleEndian(header.length)), header, new Uint8Array(arrays.indexes.buffer)])
}

/** The live rows of all parts, in one buffer. */
function* concatParts(parts: readonly UtxoPart[], count: number) {
  const arrays = allocateColumns(count)
  const { scripts } = createTarget(0)
  const covenants: (readonly [row: number, id: string])[] = []
  let first = 0
  for (const part of parts) {
    const rows = liveRows(part)
    if (rows.length > 0) copyRows(part.columns, rows, arrays, first)
    const numbers = part.columns.scripts.map((script) => scripts.indexOf(script.address, script.scriptPublicKey))
    for (let row = first; row < first + rows.length; row++)
      arrays.scriptOf[row] = numbers[arrays.scriptOf[row] ?? 0] ?? 0
    for (const [row, id] of selectCovenants(part.columns.covenantIds, rows)) covenants.push([first + row, id])
    first += rows.length
    yield
  }
  return { arrays, covenants, addresses: scripts.all.map(({ address }) => address) }
}

const liveRows = ({ columns, dead }: UtxoPart): Uint32Array =>
  Uint32Array.from({ length: columns.count }, (_, row) => row).filter((row) => !isDead(dead, row))

/** Whose record is read. */
export interface ExpectedColumns {
  readonly network: ChainNetwork
  /** As in the summary. */
  readonly digest: string
  readonly isOwn: (address: string) => boolean
}

/**
 * The UTXOs of a record, which is checked as what a node reports is; in steps of some ms. Undefined where it is
 * damaged, or not the one that the summary names.
 */
export function* decodeColumns(
  record: unknown,
  { network, digest, isOwn }: ExpectedColumns,
): Generator<undefined, UtxoColumns | undefined> {
  const sealed = yield* unseal(record)
  if (sealed === undefined || toHex(sealed.digest) !== digest || sealed.bytes.length < 4) return undefined
  const { bytes } = sealed
  const start = 4 + new DataView(bytes.buffer).getUint32(0, true)
  const header = toHeader(parseJson(bytes.subarray(4, start)), network)
  if (!header?.addresses.every(isOwn)) return undefined
  const { count, addresses, covenantIds } = header
  if (bytes.length !== start + BYTES_PER_ROW * count) return undefined
  const arrays = allocateColumns(count)
  new Uint8Array(arrays.indexes.buffer).set(bytes.subarray(start))
  yield
  const scripts = addresses.map((address) => ({ address, scriptPublicKey: toScriptPublicKey(address) }))
  const columns = toColumns(arrays, { count, scripts, covenantIds })
  return arePossible(columns) ? columns : undefined
}

interface Header {
  readonly count: number
  readonly addresses: readonly string[]
  readonly covenantIds: ReadonlyMap<number, string>
}

function toHeader(given: unknown, network: ChainNetwork): Header | undefined {
  if (!Array.isArray(given) || given.length !== 5) return undefined
  const [version, of, count, addresses, covenants] = given as readonly unknown[]
  if (version !== LAST_STATE_VERSION || of !== network || !isCount(count)) return undefined
  if (!Array.isArray(addresses) || !Array.isArray(covenants)) return undefined
  const all = addresses.filter((address: unknown): address is string => isValidAddress(address, network))
  const covenantIds = new Map(covenants.filter(isCovenant))
  const isWhole = all.length === addresses.length && covenantIds.size === covenants.length
  return isWhole ? { count, addresses: all, covenantIds } : undefined
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MAX_STORED_UTXOS

const isCovenant = (value: unknown): value is [number, string] =>
  Array.isArray(value) && value.length === 2 && Number.isSafeInteger(value[0]) && isHex(value[1], 32)

/** Whether all rows can exist: a script, an amount within the supply, and the id of a covenant where one is marked. */
function arePossible({ count, amounts, flags, scriptOf, scripts, covenantIds }: UtxoColumns): boolean {
  let bound = 0
  for (let row = 0; row < count; row++) {
    const flag = flags[row] ?? 0
    if ((flag & ~(COINBASE | COVENANT)) !== 0 || (scriptOf[row] ?? 0) >= scripts.length) return false
    if (isAbove(amounts, row, MAXIMUM) || !isAbove(amounts, row, ZERO)) return false
    if ((flag & COVENANT) === 0) continue
    if (!covenantIds.has(row)) return false
    bound++
  }
  return bound === covenantIds.size
}

const littleEndian = (value: number): readonly number[] => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255)

const MAXIMUM = /*#__PURE__*/ toBound(MAX_SOMPI)
const ZERO = /*#__PURE__*/ toBound(0n)

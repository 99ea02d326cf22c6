import { fromHex, isHex } from '../hex.js'
import { ChainError } from '../../errors/chain-error.js'

/** The type of a parameter or of a field of the state, as the compiler writes it. */
export interface AbiType {
  readonly kind: string
  /** Bytes of `fixed_bytes`, items of `fixed_array`. */
  readonly len?: number
  /** Of `fixed_array` and `dynamic_array`. */
  readonly item?: AbiType
  /** Of `struct`. */
  readonly name?: string
}

export interface AbiField {
  readonly name: string
  readonly type: AbiType
}

/** A function that a spend may call. */
export interface AbiEntry {
  /** Four bytes, hex: the last argument, by which the contract finds the entry. */
  readonly dispatch_tag: string
  readonly params: readonly AbiField[]
}

/** One contract of an artifact. */
export interface AbiContract {
  readonly runtime_state: { readonly source: string; readonly fields: readonly AbiField[] }
  readonly entries: Readonly<Record<string, AbiEntry>>
  /** Generated entries by the names that the source declares. */
  readonly cov_decl_to_abi?: Readonly<Record<string, string>>
  /** The entry of the inputs that follow a leader with the same covenant id. */
  readonly delegate_entry_abi?: string
  readonly compiled: {
    /** The redeem script of the first state: hex, or a list of bytes. */
    readonly bytecode: string | readonly number[]
    /** 32 bytes, hex or a list: the hash of what surrounds the state. */
    readonly template_hash: string | readonly number[]
    readonly state_span: { readonly offset: number; readonly len: number }
  }
}

/** What the SilverScript compiler writes (`schema_version` 1). Literal types come from `as const`. */
export interface ContractArtifact {
  readonly schema_version: number
  readonly structs: Readonly<Record<string, { readonly fields: readonly AbiField[] }>>
  readonly contracts: Readonly<Record<string, AbiContract>>
}

/** Readers of parts of an artifact: each throws `ChainError` (`invalid-artifact`) with the path. */

const MAX_LENGTH = 250_000

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function readRecord(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalidArtifact(path, 'is no object')
  return value
}

export function readList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw invalidArtifact(path, 'is no list')
  return value
}

export function readText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw invalidArtifact(path, 'is no text')
  return value
}

/** A length in bytes or items, at most that of the longest script. */
export function readLength(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > MAX_LENGTH)
    throw invalidArtifact(path, `is no length from 0 to ${MAX_LENGTH}`)
  return value
}

/** Bytes, as hex or as a list of numbers. */
export function readBytes(value: unknown, path: string, length?: number): Uint8Array {
  const bytes = isHex(value) ? fromHex(value) : readByteList(value, path)
  if (length !== undefined && bytes.length !== length) throw invalidArtifact(path, `has not ${length} bytes`)
  if (bytes.length > MAX_LENGTH) throw invalidArtifact(path, `has more than ${MAX_LENGTH} bytes`)
  return bytes
}

function readByteList(value: unknown, path: string): Uint8Array {
  const list = readList(value, path)
  const isByte = (byte: unknown): byte is number => Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) < 256
  if (!list.every(isByte)) throw invalidArtifact(path, 'is neither hex nor a list of bytes')
  return Uint8Array.from(list)
}

/** The error of an artifact that is not what the compiler writes, with the path of the part. */
export const invalidArtifact = (path: string, reason: string): ChainError<'invalid-artifact'> =>
  new ChainError(`The artifact is not valid: ${path} ${reason}`, {
    code: 'invalid-artifact',
    argument: path,
    hint: 'Write it again with the compiler, and load it from a source that you trust: it decides what a call signs.',
  })

import { fromHex, isHex } from '../hex.js'
import { invalidArtifact } from './invalid-artifact.js'

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

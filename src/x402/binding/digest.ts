import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../model/hex.js'
import { toStableJson } from '../../model/lossless-json.js'

/** SHA-256 of a value as canonical JSON, hex. Throws `TypeError` for what is no JSON. */
export const digestOf = (value: unknown): string => toHex(sha256(new TextEncoder().encode(toStableJson(value))))

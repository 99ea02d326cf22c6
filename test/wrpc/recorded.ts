import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fromHex, toHex } from '../../src/model/hex.js'
import type { RpcMethod } from '../../src/node/messages/records.js'
import type { Frame } from '../../src/wrpc/codec.js'

/** Frames recorded from real clients and nodes, and the recorded values converted to our records. */

export function fixture(path: string): unknown {
  return JSON.parse(readFileSync(resolve(import.meta.dirname, '../fixtures', path), 'utf8'))
}

export interface RecordedCall {
  readonly name: string
  readonly request: string
  readonly requestDecoded?: unknown
  readonly response: string
  readonly decoded?: unknown
}

/** The method of a call: its name up to the colon in front of the variation. */
export const methodOf = (name: string): RpcMethod => name.replace(/:.*/s, '') as RpcMethod

export const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => fromHex(hex)

/** A frame in the fixtures' form. */
export const textOf = (frame: Frame): string => (typeof frame === 'string' ? frame : toHex(frame))

type Plain = Readonly<Record<string, unknown>>

/** Fields whose text may consist of digits without being a number. */
const TEXTS = new Set(['payload', 'extraData', 'signatureScript', 'smtProof', 'systemId', 'gitHash', 'userAgent', 'ip'])

const NAMES: Readonly<Record<string, string>> = {
  is_orphan: 'isOrphan',
  storageMass: 'mass',
  last_ping_duration: 'lastPingDuration',
  is_outbound: 'isOutbound',
  time_offset: 'timeOffset',
  user_agent: 'userAgent',
  advertised_protocol_version: 'advertisedProtocolVersion',
  time_connected: 'timeConnected',
  is_ibd_peer: 'isIbdPeer',
}

/** Converts a recorded value (u64 as decimal text, wire names, `null` for absent) to our record. */
export function toRecord(value: unknown, field = ''): unknown {
  if (value === 'Infinity' || (value === null && /feerate/i.test(field))) return Infinity
  if (value === null) return undefined
  if (field === 'scriptPublicKey' && typeof value === 'string') return toScript(value)
  if (typeof value === 'string') return isCount(value, field) ? BigInt(value) : value
  if (field === 'parentsByLevel') return toLevels(value as unknown[])
  if (Array.isArray(value)) return value.map((item) => toRecord(item, field))
  if (typeof value === 'object') return toFlatRecord(value as Plain)
  return value
}

function toFlatRecord(value: Plain): unknown {
  const { utxoEntry, ...others } = value
  const entries = Object.entries('outpoint' in value ? { ...others, ...(utxoEntry as Plain) } : value)
  return Object.fromEntries(entries.map(([key, item]) => [NAMES[key] ?? key, toRecord(item, NAMES[key] ?? key)]))
}

const isCount = (value: string, field: string): boolean => /^-?\d{1,20}$/.test(value) && !TEXTS.has(field)

const toScript = (text: string): unknown => ({ version: Number.parseInt(text.slice(0, 4), 16), script: text.slice(4) })

function toLevels(levels: readonly unknown[]): unknown {
  const isRuns = levels.some((level) => Array.isArray(level) && typeof level[0] === 'number')
  if (!isRuns) return levels
  return (levels as [number, string[]][]).reduce<string[][]>((all, [end, level]) => {
    while (all.length < end) all.push(level)
    return all
  }, [])
}

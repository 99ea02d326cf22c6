import { utxoEntry } from '../../node/messages/transactions.js'
import type { Field, Fields, Shape, Struct } from '../../node/messages/shape.js'
import { MalformedFrame } from '../wire-errors.js'
import type { Cursor } from './cursor.js'
import { minimumSize, createUtxoEntryReader } from './read-utxos.js'
import type { Read, ScalarReaders } from './scalars.js'

/** The reader of a shape, created on first use. */
export type ReaderOf = (shape: Shape) => Read

/** Decodes a field into `record`. The structure's `tag` shows whether added fields are present. */
type ReadField = (cursor: Cursor, record: Record<string, unknown>, tag: number) => void

/** Creates a `ReaderOf`: compiles each shape once into nested functions. */
export function createReaders(scalars: ScalarReaders): ReaderOf {
  const readers = new Map<Shape, Read>()
  const readerOf: ReaderOf = (shape) => {
    if (typeof shape === 'string') return scalars[shape]
    const known = readers.get(shape)
    if (known !== undefined) return known
    const read = shape === utxoEntry ? createUtxoEntryReader(scalars) : toReader(shape, readerOf)
    readers.set(shape, read)
    return read
  }
  return readerOf
}

function toReader(shape: Exclude<Shape, string>, readerOf: ReaderOf): Read {
  if ('fields' in shape) return structReader(shape, readerOf)
  if ('opt' in shape) return optReader(readerOf(shape.opt))
  if ('vec' in shape) return vecReader(readerOf(shape.vec), minimumSize(shape.vec))
  if ('box' in shape) return boxReader(readerOf(shape.box))
  if ('boxvec' in shape) {
    return boxReader(vecReader(boxReader(readerOf(shape.boxvec)), minimumSize({ box: shape.boxvec })))
  }
  if ('boxopt' in shape) return boxReader(optReader(boxReader(readerOf(shape.boxopt))))
  if ('tagged' in shape) return taggedReader(readerOf(shape.tagged))
  if ('oneOf' in shape) return nameReader(shape.oneOf, shape.width)
  if ('levels' in shape) return levelsReader(vecReader(readerOf(shape.levels), minimumSize(shape.levels)))
  if ('union' in shape) return caseReader(Object.entries(shape.union), readerOf)
  const cases = Object.entries(shape.scope).sort(([, a], [, b]) => a.variant - b.variant)
  return caseReader(
    cases.map(([type, entry]) => [type, entry.scope]),
    readerOf,
  )
}

function structReader(shape: Struct, readerOf: ReaderOf): Read {
  const readFields = fieldsReader(shape.fields, readerOf)
  const readTag = TAG_READERS[shape.tag]
  return (cursor) => {
    const record: Record<string, unknown> = {}
    readFields(cursor, record, readTag(cursor))
    return record
  }
}

const TAG_READERS = {
  u8: (cursor: Cursor) => cursor.u8(),
  u16: (cursor: Cursor) => cursor.u16(),
  none: () => 1,
} as const

function fieldsReader(fields: Fields, readerOf: ReaderOf): ReadField {
  const readFields = Object.entries(fields).map(([name, field]) => fieldReader(name, field, readerOf))
  return (cursor, record, tag) => {
    for (const readField of readFields) readField(cursor, record, tag)
  }
}

function fieldReader(name: string, field: Field, readerOf: ReaderOf): ReadField {
  if (typeof field === 'object') {
    if ('added' in field) return addedReader(name, readerOf(field.added))
    if ('named' in field) return fieldReader(name, field.is, readerOf)
    if ('inline' in field) return fieldReader(name, field.inline, readerOf)
    if ('spread' in field) return spreadReader(field.spread.box, readerOf)
  }
  const read = readerOf(field)
  return (cursor, record) => {
    record[name] = read(cursor)
  }
}

function addedReader(name: string, read: Read): ReadField {
  return (cursor, record, tag) => {
    record[name] = tag < 2 ? undefined : read(cursor)
  }
}

function spreadReader(shape: Struct, readerOf: ReaderOf): ReadField {
  const readFields = fieldsReader(shape.fields, readerOf)
  const readTag = TAG_READERS[shape.tag]
  return (cursor, record) => {
    const outerEnd = cursor.enter()
    readFields(cursor, record, readTag(cursor))
    cursor.leave(outerEnd)
  }
}

function boxReader<T>(read: Read<T>): Read<T> {
  return (cursor) => {
    const outerEnd = cursor.enter()
    const value = read(cursor)
    cursor.leave(outerEnd)
    return value
  }
}

const optReader =
  (read: Read): Read =>
  (cursor) =>
    cursor.bool() ? read(cursor) : undefined

function vecReader<T>(read: Read<T>, itemSize: number): Read<T[]> {
  return (cursor) => {
    const items = new Array<T>(cursor.count(itemSize)) // preallocated: growing would copy a long list many times
    for (let at = 0; at < items.length; at++) items[at] = read(cursor)
    return items
  }
}

/** The tag of a bare value has no meaning yet. */
const taggedReader =
  (read: Read): Read =>
  (cursor) => {
    cursor.u8()
    return read(cursor)
  }

function nameReader(names: Readonly<Record<string, number>>, width: 'u8' | 'i32'): Read {
  const byCode = new Map(Object.entries(names).map(([name, code]) => [code, name]))
  return (cursor) => {
    const code = width === 'u8' ? cursor.u8() : cursor.u32()
    const name = byCode.get(code)
    if (name === undefined) throw new MalformedFrame(`${code} is none of ${Object.keys(names).join(', ')}`)
    return name
  }
}

/** Decodes runs of equal levels, each with the number of levels up to its end. */
function levelsReader<T>(readLevel: Read<T>): Read<T[]> {
  return (cursor) => {
    const levels: T[] = []
    for (let runs = cursor.count(5); runs > 0; runs--) {
      const end = cursor.u8()
      if (end <= levels.length) throw new MalformedFrame(`A run of levels ends at ${end}, before it begins`)
      const level = readLevel(cursor)
      while (levels.length < end) levels.push(level)
    }
    return levels
  }
}

function caseReader(cases: readonly (readonly [string, Fields])[], readerOf: ReaderOf): Read {
  const readers = cases.map(([type, fields]) => ({ type, readFields: fieldsReader(fields, readerOf) }))
  return (cursor) => {
    const variant = cursor.u8()
    const chosen = readers[variant]
    if (chosen === undefined) throw new MalformedFrame(`Unknown variant ${variant}`)
    const record: Record<string, unknown> = { type: chosen.type }
    chosen.readFields(cursor, record, 1)
    return record
  }
}

import { utxoEntry } from '../../node/messages/transactions.js'
import type { Field, Fields, Shape } from '../../node/messages/shape.js'
import { MalformedFrame } from '../wire-errors.js'
import { createScalarReaders, type Read, type Sender } from './scalars.js'
import { createUtxoEntryReader } from './read-utxos.js'
import { asArray, asObject, type JsonObject } from './message-text.js'

/** The reader of a shape, created on first use. */
export type ReaderOf = (shape: Shape) => Read

/** Decodes a field of `source` into `record`. */
type ReadField = (source: JsonObject, record: Record<string, unknown>) => void

/** Creates a `ReaderOf` for messages of `sender`. */
export function createReaders(sender: Sender): ReaderOf {
  const scalars = createScalarReaders(sender)
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
  if ('fields' in shape) return recordReader(shape.fields, readerOf)
  if ('opt' in shape) return optReader(readerOf(shape.opt))
  if ('boxopt' in shape) return optReader(readerOf(shape.boxopt))
  if ('vec' in shape) return listReader(readerOf(shape.vec))
  if ('boxvec' in shape) return listReader(readerOf(shape.boxvec))
  if ('box' in shape) return readerOf(shape.box)
  if ('tagged' in shape) return readerOf(shape.tagged)
  if ('oneOf' in shape) return nameReader(Object.keys(shape.oneOf))
  if ('levels' in shape) return levelsReader(listReader(readerOf(shape.levels)))
  if ('union' in shape) return unionReader(shape.union, readerOf)
  return scopeReader(shape.scope, readerOf)
}

function recordReader(fields: Fields, readerOf: ReaderOf): Read {
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === 'object' && 'inline' in field) return inlineReader(name, readerOf(field.inline))
  }
  const readFields = fieldsReader(fields, readerOf)
  return (value) => {
    const record: Record<string, unknown> = {}
    readFields(toRecord(fields, value), record)
    return record
  }
}

function inlineReader(name: string, read: Read): Read {
  return (value) => {
    const record: Record<string, unknown> = { [name]: read(value) }
    return record
  }
}

const toRecord = (fields: Fields, value: unknown): JsonObject =>
  Array.isArray(value) ? inOrder(fields, value) : asObject(value)

/** A node accepts a list of field values in order as a record, unless the list is longer than the fields. */
function inOrder(fields: Fields, values: readonly unknown[]): JsonObject {
  if (values.length > Object.keys(fields).length) throw new MalformedFrame('More values than fields')
  return Object.fromEntries(
    Object.keys(fields).map((name, at) => [jsonNames(name, fields[name])[0] ?? name, values[at]] as const),
  )
}

function fieldsReader(fields: Fields, readerOf: ReaderOf): ReadField {
  const readFields = Object.entries(fields).map(([name, field]) => fieldReader(name, field, readerOf))
  return (source, record) => {
    for (const readField of readFields) readField(source, record)
  }
}

function fieldReader(name: string, field: Field, readerOf: ReaderOf): ReadField {
  if (typeof field === 'object' && 'spread' in field) return spreadReader(name, field.spread.box.fields, readerOf)
  const names = jsonNames(name, field)
  const read = fieldValueReader(field, readerOf)
  if (names.length > 1) return aliasReader(name, names, read)
  const [jsonName = name] = names
  return (source, record) => {
    record[name] = read(source[jsonName])
  }
}

function fieldValueReader(field: Exclude<Field, { spread: unknown }>, readerOf: ReaderOf): Read {
  if (typeof field === 'string') return readerOf(field)
  if ('inline' in field) return readerOf(field.inline)
  if ('named' in field) return readerOf(field.is)
  if (!('added' in field)) return readerOf(field)
  const read = readerOf(field.added)
  return (value) => (value === undefined ? undefined : read(value))
}

const jsonNames = (name: string, field: Field | undefined): readonly string[] =>
  typeof field === 'object' && 'named' in field ? field.named : [name]

/** A field with several names; if more than one is present, the values must be equal. */
function aliasReader(name: string, names: readonly string[], read: Read): ReadField {
  return (source, record) => {
    const [present = name, ...others] = names.filter((alias) => source[alias] !== undefined)
    const value = read(source[present])
    if (others.some((alias) => read(source[alias]) !== value)) throw new MalformedFrame(`${names.join(' and ')} differ`)
    record[name] = value
  }
}

function spreadReader(name: string, fields: Fields, readerOf: ReaderOf): ReadField {
  const readFields = fieldsReader(fields, readerOf)
  return (source, record) => {
    readFields(asObject(source[name]), record)
  }
}

const optReader =
  (read: Read): Read =>
  (value) =>
    value === undefined || value === null ? undefined : read(value)

function listReader<T>(read: Read<T>): Read<T[]> {
  return (value) => asArray(value).map((item) => read(item))
}

/** A name as a string, or as the only key of a record with the value null. */
function nameReader(names: readonly string[]): Read {
  return (value) => {
    const name = names.find((one) => one === value || isNullRecord(one, value))
    if (name !== undefined) return name
    throw new MalformedFrame(`Expected one of ${names.join(', ')}`)
  }
}

const isNullRecord = (name: string, value: unknown): boolean =>
  typeof value === 'object' && value !== null && JSON.stringify(value) === `{"${name}":null}`

/** `[[2, level], [3, level]]`: runs of equal levels, each with the number of levels up to its end. */
function levelsReader<T>(readLevel: Read<T>): Read<T[]> {
  return (value) => {
    const levels: T[] = []
    for (const run of asArray(value)) {
      const [end, hashes] = asArray(run)
      if (!Number.isInteger(end) || Number(end) <= levels.length || Number(end) > 255) {
        throw new MalformedFrame(`A run of levels ends at ${String(end)}`)
      }
      const level = readLevel(hashes)
      while (levels.length < Number(end)) levels.push(level)
    }
    return levels
  }
}

function unionReader(cases: Readonly<Record<string, Fields>>, readerOf: ReaderOf): Read {
  const readers = new Map<unknown, ReadField>(
    Object.entries(cases).map(([type, fields]) => [type, fieldsReader(fields, readerOf)]),
  )
  return (value) => {
    const source = asObject(value)
    return readCase(readers.get(source.type), source.type, source)
  }
}

type ScopeCases = Extract<Shape, { readonly scope: unknown }>['scope']

/** `{"BlockAdded": {…}}`: the only key is the scope's name. */
function scopeReader(cases: ScopeCases, readerOf: ReaderOf): Read {
  const readers = new Map(
    Object.entries(cases).map(([type, entry]) => [
      entry.name,
      { type, fields: entry.scope, read: fieldsReader(entry.scope, readerOf) },
    ]),
  )
  return (value) => {
    const source = asObject(value)
    const [name = '', ...others] = Object.keys(source)
    const found = readers.get(name)
    if (others.length > 0) throw new MalformedFrame('More than one scope')
    return readCase(found?.read, found?.type, toRecord(found?.fields ?? {}, source[name]))
  }
}

function readCase(read: ReadField | undefined, type: unknown, source: JsonObject): Record<string, unknown> {
  if (read === undefined) throw new MalformedFrame('Unknown record type')
  const record: Record<string, unknown> = { type }
  read(source, record)
  return record
}

import type { ByteWriter } from '../../model/bytes.js'
import type { Field, Fields, Scalar, Shape, Struct } from '../../node/messages/shape.js'
import { asList, asRecord, chosen, type Fieldset, checkScalar } from '../valid-values.js'
import type { AddressCoder } from './address-coder.js'
import { createScalarWriters, type ScalarWriters } from './scalars.js'

/** Appends a value; `field` is its name in errors. */
export type Write = (writer: ByteWriter, value: unknown, field: string) => void

/** The writer of a shape, created on first use. */
export type WriterOf = (shape: Shape) => Write

type WriteField = (writer: ByteWriter, record: Fieldset) => void

/** Creates a `WriterOf`, the counterpart of `createReaders`. */
export function createWriters(addresses: Pick<AddressCoder, 'write'>): WriterOf {
  const scalars = createScalarWriters(addresses)
  const writers = new Map<Shape, Write>()
  const writerOf: WriterOf = (shape) => {
    const write =
      writers.get(shape) ?? (typeof shape === 'string' ? scalarWriter(shape, scalars) : toWriter(shape, writerOf))
    writers.set(shape, write)
    return write
  }
  return writerOf
}

function scalarWriter(scalar: Scalar, writers: ScalarWriters): Write {
  const write = writers[scalar] as Write
  return (writer, value, field) => {
    checkScalar(scalar, value, field)
    write(writer, value, field)
  }
}

function toWriter(shape: Exclude<Shape, string>, writerOf: WriterOf): Write {
  if ('fields' in shape) return structWriter(shape, writerOf)
  if ('opt' in shape) return optWriter(writerOf(shape.opt))
  if ('vec' in shape) return vecWriter(writerOf(shape.vec))
  if ('box' in shape) return boxWriter(writerOf(shape.box))
  if ('boxvec' in shape) return boxWriter(vecWriter(boxWriter(writerOf(shape.boxvec))))
  if ('boxopt' in shape) return boxWriter(optWriter(boxWriter(writerOf(shape.boxopt))))
  if ('tagged' in shape) return taggedWriter(writerOf(shape.tagged))
  if ('oneOf' in shape) return nameWriter(shape.oneOf, shape.width)
  if ('levels' in shape) return levelsWriter(vecWriter(writerOf(shape.levels)))
  if ('union' in shape) return caseWriter(Object.entries(shape.union), writerOf)
  const cases = Object.entries(shape.scope).sort(([, a], [, b]) => a.variant - b.variant)
  return caseWriter(
    cases.map(([type, entry]) => [type, entry.scope]),
    writerOf,
  )
}

function structWriter(shape: Struct, writerOf: WriterOf): Write {
  const writeFields = fieldsWriter(shape.fields, writerOf)
  const tag = tagOf(shape)
  const writeTag = TAG_WRITERS[shape.tag]
  return (writer, value, field) => {
    writeTag(writer, tag)
    writeFields(writer, asRecord(value, field))
  }
}

/** The tag of a structure: that of its newest field. Older readers skip unknown fields. */
function tagOf(shape: Struct): number {
  const hasAdded = Object.values(shape.fields).some((field) => typeof field === 'object' && 'added' in field)
  return shape.version ?? (hasAdded ? 2 : 1)
}

const TAG_WRITERS = {
  u8: (writer: ByteWriter, tag: number) => writer.u8(tag),
  u16: (writer: ByteWriter, tag: number) => writer.u16(tag),
  none: (writer: ByteWriter) => writer,
} as const

function fieldsWriter(fields: Fields, writerOf: WriterOf): WriteField {
  const writeFields = Object.entries(fields).map(([name, field]) => fieldWriter(name, field, writerOf))
  return (writer, record) => {
    for (const writeField of writeFields) writeField(writer, record)
  }
}

function fieldWriter(name: string, field: Field, writerOf: WriterOf): WriteField {
  if (typeof field === 'object') {
    if ('named' in field) return fieldWriter(name, field.is, writerOf)
    if ('inline' in field) return fieldWriter(name, field.inline, writerOf)
    if ('spread' in field) {
      const write = writerOf(field.spread)
      return (writer, record) => {
        write(writer, record, name)
      }
    }
    if ('added' in field) {
      const write = writerOf(field.added)
      return (writer, record) => {
        write(writer, record[name] ?? field.absent, name)
      }
    }
  }
  const write = writerOf(field)
  return (writer, record) => {
    write(writer, record[name], name)
  }
}

function boxWriter(write: Write): Write {
  return (writer, value, field) => {
    const start = writer.length
    writer.u32(0)
    write(writer, value, field)
    writer.overwriteU32(start, writer.length - start - 4)
  }
}

function optWriter(write: Write): Write {
  return (writer, value, field) => {
    writer.u8(Number(value !== undefined))
    if (value !== undefined) write(writer, value, field)
  }
}

function vecWriter(write: Write): Write {
  return (writer, value, field) => {
    const items = asList(value, field)
    writer.u32(items.length)
    items.forEach((item, at) => {
      write(writer, item, `${field}[${at}]`)
    })
  }
}

function taggedWriter(write: Write): Write {
  return (writer, value, field) => {
    write(writer.u8(1), value, field)
  }
}

function nameWriter(names: Readonly<Record<string, number>>, width: 'u8' | 'i32'): Write {
  return (writer, value, field) => {
    const code = chosen(names, value, field)
    if (width === 'u8') writer.u8(code)
    else writer.u32(code)
  }
}

/** Run-length encoding: each run of equal levels with the number of levels up to its end. */
function levelsWriter(writeLevel: Write): Write {
  return (writer, value, field) => {
    const levels = asList(value, field)
    const keys = levels.map((level) => asList(level, field).join())
    const ends = levels.flatMap((_, at) => (keys[at] === keys[at + 1] ? [] : [at]))
    writer.u32(ends.length)
    for (const at of ends) writeLevel(writer.u8(at + 1), levels[at], field)
  }
}

function caseWriter(cases: readonly (readonly [string, Fields])[], writerOf: WriterOf): Write {
  const writers = Object.fromEntries(
    cases.map(([type, fields], variant) => [type, { variant, writeFields: fieldsWriter(fields, writerOf) }]),
  )
  return (writer, value, field) => {
    const record = asRecord(value, field)
    const { variant, writeFields } = chosen(writers, record.type, field)
    writeFields(writer.u8(variant), record)
  }
}

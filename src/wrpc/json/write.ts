import type { Field, Fields, Scalar, Shape } from '../../node/messages/shape.js'
import { asList, asRecord, chosen, type Fieldset, checkScalar } from '../valid-values.js'
import { type Sender, SCALAR_TEXTS } from './scalars.js'

/** Encodes a value as JSON; `field` is its name in errors. */
export type Write = (value: unknown, field: string) => string

/** The writer of a shape, created on first use. */
export type WriterOf = (shape: Shape) => Write

/** A member of an object: its key and its encoded value; undefined to omit the member. */
interface Member {
  readonly key: string
  readonly write: (record: Fieldset) => string | undefined
}

/**
 * Creates a `WriterOf`. Keys are in alphabetical order. A node writes every field; a client omits absent added fields,
 * which older nodes do not know, and writes a field with two names once.
 */
export function createWriters(sender: Sender): WriterOf {
  const writers = new Map<Shape, Write>()
  const writerOf: WriterOf = (shape) => {
    const write =
      writers.get(shape) ?? (typeof shape === 'string' ? scalarWriter(shape) : toWriter(shape, writerOf, sender))
    writers.set(shape, write)
    return write
  }
  return writerOf
}

function scalarWriter(scalar: Scalar): Write {
  const text = SCALAR_TEXTS[scalar] as (value: unknown) => string
  return (value, field) => {
    checkScalar(scalar, value, field)
    return text(value)
  }
}

function toWriter(shape: Exclude<Shape, string>, writerOf: WriterOf, sender: Sender): Write {
  if ('fields' in shape) return structWriter(shape.fields, writerOf, sender)
  if ('opt' in shape) return optWriter(writerOf(shape.opt))
  if ('boxopt' in shape) return optWriter(writerOf(shape.boxopt))
  if ('vec' in shape) return listWriter(writerOf(shape.vec))
  if ('boxvec' in shape) return listWriter(writerOf(shape.boxvec))
  if ('box' in shape) return writerOf(shape.box)
  if ('tagged' in shape) return writerOf(shape.tagged)
  if ('oneOf' in shape) return nameWriter(shape.oneOf)
  if ('levels' in shape) return levelsWriter(listWriter(writerOf(shape.levels)))
  if ('union' in shape) return unionWriter(shape.union, writerOf, sender)
  return scopeWriter(shape.scope, writerOf, sender)
}

function structWriter(fields: Fields, writerOf: WriterOf, sender: Sender): Write {
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === 'object' && 'inline' in field) return inlineWriter(name, writerOf(field.inline))
  }
  return recordWriter(membersOf(fields, writerOf, sender))
}

const inlineWriter =
  (name: string, write: Write): Write =>
  (value, field) =>
    write(asRecord(value, field)[name], name)

function recordWriter(members: readonly Member[]): Write {
  const sorted = [...members].sort((a, b) => (a.key < b.key ? -1 : 1))
  return (value, field) => {
    const record = asRecord(value, field)
    let text = ''
    for (const { key, write } of sorted) {
      const written = write(record)
      if (written !== undefined) text += `${text === '' ? '' : ','}"${key}":${written}`
    }
    return `{${text}}`
  }
}

function membersOf(fields: Fields, writerOf: WriterOf, sender: Sender): Member[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const write = memberWriter(name, field, writerOf, sender)
    const names = typeof field === 'object' && 'named' in field ? field.named : [name]
    return (sender === 'client' ? names.slice(0, 1) : names).map((key) => ({ key, write }))
  })
}

function memberWriter(name: string, field: Field, writerOf: WriterOf, sender: Sender): Member['write'] {
  if (typeof field === 'object') {
    if ('named' in field) return memberWriter(name, field.is, writerOf, sender)
    if ('inline' in field) return memberWriter(name, field.inline, writerOf, sender)
    if ('spread' in field) {
      const write = writerOf(field.spread.box)
      return (record) => write(record, name)
    }
    if ('added' in field) {
      const write = writerOf(field.added)
      return (record) =>
        sender === 'client' && record[name] === undefined ? undefined : write(record[name] ?? field.absent, name)
    }
  }
  const write = writerOf(field)
  return (record) => write(record[name], name)
}

const optWriter =
  (write: Write): Write =>
  (value, field) =>
    value === undefined ? 'null' : write(value, field)

function listWriter(write: Write): Write {
  return (value, field) => {
    const texts = asList(value, field).map((item, at) => write(item, `${field}[${at}]`))
    return `[${texts.join(',')}]`
  }
}

function nameWriter(names: Readonly<Record<string, number>>): Write {
  return (value, field) => {
    chosen(names, value, field)
    return `"${String(value)}"`
  }
}

/** Run-length encoding: each run of equal levels with the number of levels up to its end. */
function levelsWriter(writeLevel: Write): Write {
  return (value, field) => {
    const levels = asList(value, field).map((level) => writeLevel(level, field))
    const runs = levels.flatMap((level, at) => (level === levels[at + 1] ? [] : [`[${at + 1},${level}]`]))
    return `[${runs.join(',')}]`
  }
}

function unionWriter(cases: Readonly<Record<string, Fields>>, writerOf: WriterOf, sender: Sender): Write {
  const writers = Object.fromEntries(
    Object.entries(cases).map(([type, fields]) => {
      const members = membersOf(fields, writerOf, sender)
      return [type, recordWriter([...members, { key: 'type', write: () => `"${type}"` }])]
    }),
  )
  return (value, field) => chosen(writers, asRecord(value, field).type, field)(value, field)
}

function scopeWriter(
  cases: Extract<Shape, { readonly scope: unknown }>['scope'],
  writerOf: WriterOf,
  sender: Sender,
): Write {
  const writers = Object.fromEntries(
    Object.entries(cases).map(([type, { name, scope }]) => {
      return [type, { name, write: recordWriter(membersOf(scope, writerOf, sender)) }]
    }),
  )
  return (value, field) => {
    const { name, write } = chosen(writers, asRecord(value, field).type, field)
    return `{"${name}":${write(value, field)}}`
  }
}

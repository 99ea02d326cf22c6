import { decodeCall } from '../../../src/model/contracts/decode-call.js'
import { defineContract } from '../../../src/model/contracts/contract.js'
import { dispatchTag, type ResolvedField, type ResolvedType } from '../../../src/model/contracts/resolved-type.js'
import { decodeState, templateHash } from '../../../src/model/contracts/state-script.js'
import { encodeFields } from '../../../src/model/contracts/value-codec.js'
import { fromHex } from '../../../src/model/hex.js'
import {
  collect,
  noSignature,
  toFields,
  toType,
  toValue,
  valueOf,
  type Compared,
  type Json,
  type RecordType,
} from './kcc-vectors.js'

/** What KCC-1 says a program refuses: values, arguments, states, types and entries. */

const NAME = 'call'

/** Whether each is refused, as it should be. */
export const compareRejections = ({ rejection_vectors: vectors }: Json): readonly Compared[] =>
  collect('KCC-1', (compare) => {
    for (const one of vectors as readonly Json[])
      compare(`rejections ${String(one.operation)}`, one.id, () => isRefused(one), one.expected === 'reject')
  })

function isRefused(one: Json): boolean {
  const { type = '', records = [], argument_types: types = [] } = one
  switch (one.operation) {
    case 'encode_scalar':
      return isThrown(() => {
        const fields = [{ name: 'value', type: toType(type, []) }]
        encodeFields(fields, { value: toValue(toType(type, []), valueOf(one)) }, 'value', 'argument', noSignature)
      })
    case 'decode_state':
      return decodeState(toFields(one.fields, records), fromHex(one.encoded_hex)) === undefined
    case 'decode_arguments': {
      const params = named(types, records)
      const script = `${String(one.argument_hex)}04${dispatchTag(NAME, params)}0151`
      return decodeCall(contractOf([[NAME, params]]), script)?.args === null
    }
    case 'validate_argument_type':
      return isThrown(() => contractOf([[NAME, named([type], records)]]))
    case 'validate_entrypoints':
      return isAmbiguous(one)
    default:
      throw new TypeError(`There is no operation ${String(one.operation)}`)
  }
}

/** Entries of one name cannot be in one artifact, whose entries have names as keys: the tag shows the ambiguity. */
function isAmbiguous({ entrypoints, records = [], dispatch_tag_hex: tag }: Json): boolean {
  const entries = (entrypoints as readonly Json[]).map(({ name, argument_types: types }): Entry => [
    name,
    named(types, records),
  ])
  const isOneTag = entries.every(([name, params]) => dispatchTag(name, params) === tag)
  const names = new Set(entries.map(([name]) => name))
  return isOneTag && (names.size < entries.length || isThrown(() => contractOf(entries)))
}

export type Entry = readonly [name: string, params: readonly ResolvedField[]]

export const named = (types: readonly string[], records: readonly RecordType[]): readonly ResolvedField[] =>
  types.map((type, at) => ({ name: `p${at}`, type: toType(type, records) }))

/** A contract without a state that has these entries. */
export function contractOf(entries: readonly Entry[]): object {
  const structs: Record<string, unknown> = {}
  const written = entries.map(([name, params]) => {
    const listed = params.map((param) => ({ name: param.name, type: toArtifact(param.type, structs) }))
    return [name, { dispatch_tag: dispatchTag(name, params), params: listed }] as const
  })
  const hash = templateHash({ prefix: new Uint8Array(0), suffix: fromHex('51') })
  const compiled = { bytecode: '51', template_hash: hash, state_span: { offset: 0, len: 0 } }
  const runtime_state = { source: 'State', fields: [] }
  const contract = { source_path: '', runtime_state, entries: Object.fromEntries(written), compiled }
  return defineContract({ schema_version: 1, structs, contracts: { Vectors: contract } } as never)
}

/** A type as artifacts have it; its structs are added to those of the artifact. */
function toArtifact(type: ResolvedType, structs: Record<string, unknown>): object {
  switch (type.kind) {
    case 'fixed_bytes':
      return { kind: type.kind, len: type.length }
    case 'array': {
      const item = toArtifact(type.item, structs)
      return type.length === undefined
        ? { kind: 'dynamic_array', item }
        : { kind: 'fixed_array', item, len: type.length }
    }
    case 'struct':
      structs[type.name] = {
        fields: type.fields.map((field) => ({ name: field.name, type: toArtifact(field.type, structs) })),
      }
      return { kind: type.kind, name: type.name }
    default:
      return type
  }
}

function isThrown(run: () => unknown): boolean {
  try {
    run()
  } catch {
    return true
  }
  return false
}

import { blake3 } from '@noble/hashes/blake3.js'
import { isDeepStrictEqual } from 'node:util'
import { encodeAddress, toAddress } from '../../../src/model/address.js'
import {
  dispatchTag,
  type ResolvedField,
  type ResolvedType,
  type ScalarKind,
} from '../../../src/model/contracts/resolved-type.js'
import { pushExplicit, pushMinimal, templateHash } from '../../../src/model/contracts/state-script.js'
import { type Form, encodeFields } from '../../../src/model/contracts/value-codec.js'
import { fromHex, toHex } from '../../../src/model/hex.js'
import { fieldsOf, type TokenOwner } from '../../../src/model/tokens/owner.js'
import { TOKEN_FIELDS } from '../../../src/model/tokens/token-program.js'
import { scriptOfHash } from '../../../src/streams/contracts/apply-transaction.js'

/** The official vectors of KCC-1, KCC-2 and KCC-20, compared with the codec: facts of others, not ours. */

// oxlint-disable-next-line typescript/no-explicit-any -- a file of others, whose results are compared
export type Json = Readonly<Record<string, any>>

/** One comparison: what it is, and whether both have the same. */
export interface Compared {
  readonly section: string
  readonly what: string
  readonly isEqual: boolean
}

export interface RecordType {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly type: string }[]
}

const SCALARS: readonly string[] = ['int', 'temporal', 'bool', 'byte', 'string', 'pubkey', 'datasig', 'sig']

export function toType(text: string, records: readonly RecordType[]): ResolvedType {
  const [, item, length] = /^(.*)\[(\d*)\]$/.exec(text) ?? []
  if (text === 'byte[]') return { kind: 'bytes' }
  if (item === 'byte') return { kind: 'fixed_bytes', length: Number(length) }
  if (item !== undefined)
    return { kind: 'array', item: toType(item, records), length: length === '' ? undefined : Number(length) }
  const record = records.find(({ name }) => name === text)
  if (record !== undefined) return { kind: 'struct', name: text, fields: toFields(record.fields, records) }
  if (!SCALARS.includes(text)) throw new TypeError(`There is no type ${text}`)
  return { kind: text as ScalarKind }
}

export const toFields = (fields: RecordType['fields'], records: readonly RecordType[]): readonly ResolvedField[] =>
  fields.map(({ name, type }) => ({ name, type: toType(type, records) }))

/** A value as the codec takes it. */
export function toValue(type: ResolvedType, value: Json[string]): unknown {
  switch (type.kind) {
    case 'int':
    case 'temporal':
      return BigInt(value)
    case 'byte':
      return typeof value === 'string' ? Number.parseInt(value, 16) : value
    case 'array':
      return (value as readonly unknown[]).map((one) => toValue(type.item, one))
    case 'struct':
      return Object.fromEntries(
        type.fields.map(({ name, type: of }) => [name, toValue(of, value[name] ?? value[`${name}_hex`])]),
      )
    default:
      return value
  }
}

export const noSignature = (): never => {
  throw new TypeError('A vector has no signature of a key')
}

const encode = (type: ResolvedType, value: unknown, form: Form): readonly Uint8Array[] =>
  encodeFields([{ name: 'value', type }], { value: toValue(type, value) }, 'value', form, noSignature)

/** The pushes of parts, hex. */
function pushed(parts: readonly Uint8Array[], push: typeof pushMinimal): string {
  const script: number[] = []
  for (const part of parts) push(script, part)
  return toHex(Uint8Array.from(script))
}

const joined = (parts: readonly Uint8Array[]): string => parts.map(toHex).join('')

export const valueOf = (one: Json): unknown => one.value_decimal ?? one.value ?? one.value_hex

/** Collects comparisons of one source. */
export function collect(source: string, run: (compare: Compare) => void): readonly Compared[] {
  const found: Compared[] = []
  run((section, what, ours, theirs) => {
    let isEqual: boolean
    try {
      isEqual = isDeepStrictEqual(ours(), theirs)
    } catch {
      isEqual = false // a value that is refused is another result
    }
    found.push({ section: `${source} ${section}`, what: JSON.stringify(what), isEqual })
  })
  return found
}

/** Compares what the codec makes of the inputs of a file with its results. */
export const compareVectors = ({ kcc = 2, ...file }: Json): readonly Compared[] =>
  collect(`KCC-${String(kcc)}`, (compare) => {
    if (kcc === 1) compareEncodings(file, compare)
    else if (kcc === 2) compareOwners(file, compare)
    else compareTokens(file, compare)
  })

export type Compare = (section: string, what: unknown, ours: () => unknown, theirs: unknown) => void

const bytesOf = ({ hex, repeat_hex: repeated, count }: Json): string => hex ?? String(repeated).repeat(Number(count))

function compareEncodings(file: Json, compare: Compare): void {
  for (const { id, payload, push_minimal: minimal, push_explicit: explicit } of file.data_pushes) {
    const theirs = ({ encoded_prefix_hex: prefix, ...given }: Json): string =>
      prefix === undefined ? bytesOf(given) : `${String(prefix)}${bytesOf(payload)}`
    const data = fromHex(bytesOf(payload))
    compare('data_pushes', `${String(id)} minimal`, () => pushed([data], pushMinimal), theirs(minimal))
    compare('data_pushes', `${String(id)} explicit`, () => pushed([data], pushExplicit), theirs(explicit))
  }
  for (const one of file.scalar_encodings) {
    const type = toType(one.type, [])
    const { standalone_argument_hex: argument, state_payload_hex: payload } = one
    if (argument !== undefined)
      compare('scalar_encodings', one, () => pushed(encode(type, valueOf(one), 'argument'), pushMinimal), argument)
    if (payload !== undefined)
      compare('scalar_encodings', one, () => joined(encode(type, valueOf(one), 'fixed')), payload)
  }
  for (const one of file.composite_encodings) {
    const records: RecordType[] = [...(one.records ?? []), ...(one.record === undefined ? [] : [one.record])]
    const type = toType(one.type ?? one.record.name, records)
    const theirs: string = one.argument_hex ?? one.combined_hex ?? (one.lowered_argument_hex ?? []).join('')
    compare('composite_encodings', one.id, () => pushed(encode(type, valueOf(one), 'argument'), pushMinimal), theirs)
  }
  const tags: Json[] = [file.dispatch_and_arguments, file.zero_argument_dispatch, ...file.record_dispatch]
  for (const { entrypoint_name: name, argument_types: types, records = [], dispatch_tag_hex: tag } of tags) {
    const params = (types as readonly string[]).map((type, at) => ({ name: `p${at}`, type: toType(type, records) }))
    compare('dispatch', { name, types }, () => dispatchTag(name, params), tag)
  }
  const { fields, encoded_hex: encoded } = file.state_encoding
  const state = (fields as Json[]).flatMap((field) => encode(toType(field.type, []), valueOf(field), 'fixed'))
  compare('state_encoding', fields, () => pushed(state, pushExplicit), encoded)
  for (const { prefix_hex: prefix, suffix_hex: suffix, hash_hex: hash } of [
    ...file.template_hashes,
    ...file.template_views.views.map((view: Json) => ({ ...view, hash_hex: view.template_hash_hex })),
  ])
    compare('template_hashes', { prefix, suffix }, () => templateOf(prefix, suffix), hash)
  for (const { redeem_script_hex: script, script_public_key: key } of [file.p2sh_envelope, file.continuation_program])
    compare('p2sh', script, () => scriptOfHash(script), key.script_hex)
  const { entrypoint_name: name, argument_types: types, argument_values: values } = file.dispatch_and_arguments
  const params = (types as readonly string[]).map((type) => toType(type, []))
  const parts = params.flatMap((type, at) => encode(type, values[at], 'argument'))
  const tag = fromHex(file.dispatch_and_arguments.dispatch_tag_hex)
  compare(
    'dispatch',
    name,
    () => pushed(parts, pushMinimal),
    file.dispatch_and_arguments.argument_encodings_hex.join(''),
  )
  const envelope = [tag, fromHex(file.p2sh_envelope.redeem_script_hex)]
  const script = `${pushed(parts, pushMinimal)}${pushed(envelope, pushExplicit)}`
  compare('p2sh', 'signature script', () => script, file.p2sh_envelope.signature_script_hex)
  const { record, packed_hex: packed, commitment_hex: commitment } = file.hash_committed_virtual_element
  const element = (record.fields as Json[]).flatMap((field) => encode(toType(field.type, []), valueOf(field), 'fixed'))
  compare('virtual_element', 'packed', () => joined(element), packed)
  compare('virtual_element', 'commitment', () => toHex(blake3(fromHex(packed))), commitment)
}

const templateOf = (prefix: string, suffix: string): string =>
  templateHash({ prefix: fromHex(prefix), suffix: fromHex(suffix) })

/** How owners are named: by a key, its hash, the hash of a script, or a covenant. */
function compareOwners({ constructions, registry_checks: registry }: Json, compare: Compare): void {
  for (const construction of constructions) {
    const { id, scheme_byte: byte, authority_value: value } = construction
    const isNamed = ({ owner_scheme: scheme }: { readonly owner_scheme: number }): boolean =>
      scheme === Number.parseInt(byte, 16)
    compare('constructions', id, () => fieldsOf(ownerOf(construction), 'owner').find(isNamed)?.owner, value)
    for (const [type, form] of [
      [construction.argument_encoding, 'argument'],
      [construction.state_encoding, 'fixed'],
    ] as const)
      compare('constructions', `${String(id)} ${form}`, () => pushed(encode(BYTES_32, value, form), pushExplicit), type)
  }
  const named = (constructions as readonly Json[]).flatMap((one) => fieldsOf(ownerOf(one), 'owner'))
  for (const { scheme_byte: byte, assigned } of registry) {
    const scheme = Number.parseInt(byte, 16)
    compare('registry_checks', byte, () => named.some((one) => one.owner_scheme === scheme), assigned)
  }
}

const BYTES_32: ResolvedType = { kind: 'fixed_bytes', length: 32 }

function ownerOf({ public_key: key, redeem_script: script, covenant_id: covenantId }: Json): TokenOwner {
  if (script !== undefined) return toAddress({ version: 0, script: scriptOfHash(script) }, 'kaspa') ?? ''
  if (key === undefined) return { covenantId }
  return encodeAddress('kaspa', key.length === 66 ? 'PubKeyECDSA' : 'PubKey', fromHex(key))
}

const STATE: ResolvedType = { kind: 'struct', name: 'KCC20State', fields: TOKEN_FIELDS }

function compareTokens(file: Json, compare: Compare): void {
  const states: ResolvedType = { kind: 'array', item: STATE, length: undefined }
  const params = {
    transfer: [
      { name: 's', type: states },
      { name: 'w', type: { kind: 'bytes' } },
    ],
  } as const
  for (const { entrypoint, dispatch_tag_hex: tag } of file.dispatch) {
    const [, witness] = params.transfer
    const given = entrypoint === 'transfer' ? params.transfer : [witness]
    compare('dispatch', entrypoint, () => dispatchTag(entrypoint, given), tag)
  }
  const { state, encoded_hex: encoded } = file.state_encoding
  compare('state_encoding', state, () => pushed(encode(STATE, state, 'fixed'), pushExplicit), encoded)
  const { next_states: next, grouped_field_pushes_hex: pushes } = file.transfer_arguments
  const theirs = (pushes as readonly string[]).join('')
  compare('transfer_arguments', 'next_states', () => pushed(encode(states, next, 'argument'), pushMinimal), theirs)
}

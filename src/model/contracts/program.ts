import { toHex } from '../hex.js'
import {
  dispatchTag,
  readName,
  resolveFields,
  type ResolvedField,
  type Structs,
  type ResolvedType,
  fixedSizes,
} from './resolved-type.js'
import { invalidArtifact, readBytes, readLength, readRecord, readText } from './artifact.js'
import { decodeState, templateHash, type Template } from './state-script.js'

/** An entry by which a contract is called. */
export interface Entry {
  readonly params: readonly ResolvedField[]
  /** Hex. */
  readonly tag: string
  /** Whether the source declares it as a covenant: it continues the state. */
  readonly isCovenant: boolean
}

/** A contract of an artifact, checked. */
export interface Program extends Template {
  readonly name: string
  readonly stateName: string
  readonly fields: readonly ResolvedField[]
  /** By the names that callers use: generated entries by their declared names. */
  readonly entries: ReadonlyMap<string, Entry>
  /** The entry of the inputs that follow a leader with the same covenant id. */
  readonly delegateEntry: string | undefined
  readonly templateHash: string
  /** The state in the bytecode of the artifact. */
  readonly initialState: Readonly<Record<string, unknown>>
}

const GENERATED = '__covenant_'
const SCHEMA_VERSION = 1

/**
 * Checks an artifact and reads one of its contracts, the only one where `name` is absent. Throws `ChainError`
 * (`invalid-artifact`) with the path of what the compiler would not have written: another template hash, a tag of
 * another entry, a state that is not where it should be.
 */
export function readProgram(artifact: unknown, name?: string): Program {
  const { schema_version: version, structs, contracts } = readRecord(artifact, 'artifact')
  if (version !== SCHEMA_VERSION) throw invalidArtifact('schema_version', `is not ${SCHEMA_VERSION}`)
  const all = readRecord(contracts, 'contracts')
  const chosen = name ?? onlyName(all)
  const path = `contracts.${readName(chosen, 'contracts')}`
  const contract = readRecord(own(all, chosen), path)
  const state = readRecord(contract.runtime_state, `${path}.runtime_state`)
  const stateName = readText(state.source, `${path}.runtime_state.source`)
  const declared = readRecord(structs, 'structs')
  for (const struct of Object.keys(declared)) readName(struct, 'structs')
  const byName: Structs = (struct) => (struct === stateName ? state : own(declared, struct))
  const fields = resolveFields(state.fields, `${path}.runtime_state.fields`, byName)
  checkItems(fields, `${path}.runtime_state.fields`)
  const entries = readEntries(contract, path, byName)
  const compiled = readCompiled(contract.compiled, `${path}.compiled`, fields)
  return { name: chosen, stateName, fields, ...entries, ...compiled }
}

/** The names of the contracts of an artifact. */
export const contractNames = (artifact: unknown): readonly string[] =>
  Object.keys(readRecord(readRecord(artifact, 'artifact').contracts, 'contracts'))

function onlyName(contracts: Readonly<Record<string, unknown>>): string {
  const [first, ...others] = Object.keys(contracts)
  if (first === undefined || others.length > 0)
    throw invalidArtifact('contracts', 'has not exactly one contract: name the one that is meant')
  return first
}

const own = (record: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(record, name) ? record[name] : undefined

function readEntries(
  contract: Readonly<Record<string, unknown>>,
  path: string,
  structs: Structs,
): Pick<Program, 'entries' | 'delegateEntry'> {
  const listed = readRecord(contract.entries, `${path}.entries`)
  const declarations = declaredNames(contract.cov_decl_to_abi, `${path}.cov_decl_to_abi`, listed)
  const entries = new Map<string, Entry>()
  for (const [key, value] of Object.entries(listed)) {
    const name = key.startsWith(GENERATED) ? declarations.get(key) : key
    if (name === undefined)
      throw invalidArtifact(`${path}.entries.${key}`, 'is generated, but no declaration leads to it')
    if (entries.has(name)) throw invalidArtifact(`${path}.entries.${key}`, `is a second entry of the name ${name}`)
    entries.set(name, readEntry(key, value, `${path}.entries.${key}`, structs, declarations.has(key)))
  }
  const tags = new Set([...entries.values()].map(({ tag }) => tag))
  if (tags.size < entries.size) throw invalidArtifact(`${path}.entries`, 'has two entries of one tag')
  const delegate = readDelegate(contract.delegate_entry_abi, `${path}.delegate_entry_abi`, listed)
  return { entries, delegateEntry: delegate && (declarations.get(delegate) ?? delegate) }
}

function readDelegate(value: unknown, path: string, entries: Readonly<Record<string, unknown>>): string | undefined {
  if (value === undefined || value === null) return undefined
  const name = readText(value, path)
  if (own(entries, name) === undefined) throw invalidArtifact(path, 'is no entry')
  return name
}

/** Declared names by the names of the entries that the compiler made of them. */
function declaredNames(
  value: unknown,
  path: string,
  entries: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  if (value === undefined || value === null) return new Map()
  const names = Object.entries(readRecord(value, path)).map(([declared, key]) => {
    const name = readText(key, `${path}.${declared}`)
    if (own(entries, name) === undefined) throw invalidArtifact(`${path}.${declared}`, 'is no entry')
    return [name, readName(declared, path)] as const
  })
  return new Map(names)
}

function readEntry(key: string, value: unknown, path: string, structs: Structs, isCovenant: boolean): Entry {
  const { dispatch_tag: given, params } = readRecord(value, path)
  const resolved = resolveFields(params, `${path}.params`, structs)
  checkItems(resolved, `${path}.params`)
  const tag = dispatchTag(readName(key, path), resolved)
  if (given !== tag)
    throw invalidArtifact(`${path}.dispatch_tag`, `is not ${tag}, the tag of this name and these types`)
  return { params: resolved, tag, isCovenant }
}

function readCompiled(
  value: unknown,
  path: string,
  fields: readonly ResolvedField[],
): Pick<Program, 'prefix' | 'suffix' | 'templateHash' | 'initialState'> {
  const { bytecode, template_hash: given, state_span: span } = readRecord(value, path)
  const bytes = readBytes(bytecode, `${path}.bytecode`)
  const { offset, len } = readSpan(span, `${path}.state_span`, bytes.length)
  const template = { prefix: bytes.slice(0, offset), suffix: bytes.slice(offset + len) }
  const hash = templateHash(template)
  if (toHex(readBytes(given, `${path}.template_hash`, 32)) !== hash)
    throw invalidArtifact(`${path}.template_hash`, `is not ${hash}, the hash of this bytecode`)
  const initialState = decodeState(fields, bytes.subarray(offset, offset + len))
  if (initialState === undefined) throw invalidArtifact(`${path}.state_span`, 'holds no state of these fields')
  return { ...template, templateHash: hash, initialState }
}

function readSpan(value: unknown, path: string, size: number): { readonly offset: number; readonly len: number } {
  const span = readRecord(value, path)
  const [offset, len] = [readLength(span.offset, `${path}.offset`), readLength(span.len, `${path}.len`)]
  if (offset + len > size) throw invalidArtifact(path, 'ends after the bytecode')
  return { offset, len }
}

/**
 * Items of arrays are joined without their lengths, so each must have a fixed size. Throws `ChainError`
 * (`invalid-artifact`).
 */
function checkItems(fields: readonly ResolvedField[], path: string): void {
  for (const [index, { type }] of fields.entries()) checkType(type, `${path}[${index}].type`)
}

function checkType(type: ResolvedType, path: string): void {
  if (type.kind === 'struct') type.fields.forEach((field) => checkType(field.type, path))
  if (type.kind !== 'array') return
  const sizes = fixedSizes(type.item) ?? []
  if (sizes.length === 0 || sizes.includes(0)) throw invalidArtifact(path, 'has items without a fixed size')
}

import type { AbiContract, AbiField, ContractArtifact } from './artifact.js'

/** A signature that is made when the transaction is signed, by the key of an address. */
export interface SignedBy {
  readonly signedBy: string
}

/** Bytes: hex or an array, or a list of parts, among them signatures that are made later. */
export type BytesArgument = string | Uint8Array | readonly (string | Uint8Array | SignedBy)[]

/** Any value of a call, for artifacts without literal types. */
export type ContractValue =
  | bigint
  | number
  | boolean
  | string
  | Uint8Array
  | SignedBy
  | readonly ContractValue[]
  | { readonly [field: string]: ContractValue }

/** `in`: what a call or a state takes. `out`: what a state that was read shows. */
export type ValueDirection = 'in' | 'out'

/** Values of the types without parts. */
export interface ContractScalars {
  readonly in: {
    readonly int: bigint
    readonly temporal: bigint
    readonly bool: boolean
    readonly byte: number
    readonly string: string
    readonly bytes: BytesArgument
    readonly fixed_bytes: string | Uint8Array
    readonly pubkey: string | Uint8Array
    readonly datasig: string | Uint8Array
    readonly sig: SignedBy | string | Uint8Array
  }
  readonly out: {
    readonly int: bigint
    readonly temporal: bigint
    readonly bool: boolean
    readonly byte: number
    readonly string: string
    readonly bytes: string
    readonly fixed_bytes: string
    readonly pubkey: string
    readonly datasig: string
    readonly sig: string
  }
}

/** Where the fields of structs are found. */
export interface ContractScope {
  readonly artifact: ContractArtifact
  readonly contract: AbiContract
}

/** The value of a type of the artifact. */
export type ContractValueOf<S extends ContractScope, T, D extends ValueDirection> = T extends {
  readonly kind: infer Kind extends string
}
  ? string extends Kind
    ? ContractValue
    : Kind extends keyof ContractScalars[D]
      ? ContractScalars[D][Kind]
      : T extends { readonly item: infer Item }
        ? readonly ContractValueOf<S, Item, D>[]
        : T extends { readonly name: infer Name }
          ? ContractStruct<S, Name, D>
          : ContractValue
  : ContractValue

/** The value of a struct, or of the state. */
export type ContractStruct<
  S extends ContractScope,
  Name,
  D extends ValueDirection,
> = Name extends S['contract']['runtime_state']['source']
  ? ContractRecord<S, S['contract']['runtime_state']['fields'], D>
  : Name extends keyof S['artifact']['structs']
    ? ContractRecord<S, S['artifact']['structs'][Name]['fields'], D>
    : ContractValue

/** One object of named values. An artifact imported from JSON has lost its names: then any. */
export type ContractRecord<
  S extends ContractScope,
  Fields extends readonly AbiField[],
  D extends ValueDirection,
> = number extends Fields['length']
  ? Readonly<Record<string, ContractValue>>
  : { readonly [F in Fields[number] as F['name']]: ContractValueOf<S, F['type'], D> }

/** A name that the compiler makes. */
export type GeneratedEntry = `__covenant_${string}`

/** The generated entries by their declared names, and the others by their own. */
export type EntryKeys<C extends AbiContract> = {
  readonly [Name in keyof C['entries'] & string as Name extends GeneratedEntry ? never : Name]: Name
} & {
  readonly [
    Name in keyof DeclaredEntries<C> & string as IsGeneratedEntry<DeclaredEntries<C>[Name]> extends true ? Name : never
  ]: DeclaredEntries<C>[Name]
}

/** Names whose literals an import of JSON has lost may be generated. */
export type IsGeneratedEntry<Key> = string extends Key ? true : Key extends GeneratedEntry ? true : false

/** Entries by the names that the source declares. */
export type DeclaredEntries<C extends AbiContract> = C extends { readonly cov_decl_to_abi: infer Names }
  ? Names
  : unknown

/** The name of a contract of an artifact. */
export type ContractName<A extends ContractArtifact> = keyof A['contracts'] & string

/** The state of a contract, as it is read: bytes in hex. */
export type ContractStateOf<A extends ContractArtifact, N extends ContractName<A>> = ContractRecord<
  { readonly artifact: A; readonly contract: A['contracts'][N] },
  A['contracts'][N]['runtime_state']['fields'],
  'out'
>

/** A state to be encoded: bytes in hex or as arrays. */
export type ContractStateInput<A extends ContractArtifact, N extends ContractName<A>> = ContractRecord<
  { readonly artifact: A; readonly contract: A['contracts'][N] },
  A['contracts'][N]['runtime_state']['fields'],
  'in'
>

/** The names by which entries are called. */
export type EntryName<A extends ContractArtifact, N extends ContractName<A>> = keyof EntryKeys<A['contracts'][N]> &
  string

/** The arguments of an entry: one object of named values. */
export type EntryArguments<
  A extends ContractArtifact,
  N extends ContractName<A>,
  E extends EntryName<A, N>,
> = EntryKeys<A['contracts'][N]>[E] extends infer Key extends keyof A['contracts'][N]['entries']
  ? ContractRecord<
      { readonly artifact: A; readonly contract: A['contracts'][N] },
      A['contracts'][N]['entries'][Key]['params'],
      'in'
    >
  : Readonly<Record<string, ContractValue>>

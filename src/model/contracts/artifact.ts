/** The type of a parameter or of a field of the state, as the compiler writes it. */
export interface AbiType {
  readonly kind: string
  /** Bytes of `fixed_bytes`, items of `fixed_array`. */
  readonly len?: number
  /** Of `fixed_array` and `dynamic_array`. */
  readonly item?: AbiType
  /** Of `struct`. */
  readonly name?: string
}

export interface AbiField {
  readonly name: string
  readonly type: AbiType
}

/** A function that a spend may call. */
export interface AbiEntry {
  /** Four bytes, hex: the last argument, by which the contract finds the entry. */
  readonly dispatch_tag: string
  readonly params: readonly AbiField[]
}

/** One contract of an artifact. */
export interface AbiContract {
  readonly runtime_state: { readonly source: string; readonly fields: readonly AbiField[] }
  readonly entries: Readonly<Record<string, AbiEntry>>
  /** Generated entries by the names that the source declares. */
  readonly cov_decl_to_abi?: Readonly<Record<string, string>>
  /** The entry of the inputs that follow a leader with the same covenant id. */
  readonly delegate_entry_abi?: string
  readonly compiled: {
    /** The redeem script of the first state: hex, or a list of bytes. */
    readonly bytecode: string | readonly number[]
    /** 32 bytes, hex or a list: the hash of what surrounds the state. */
    readonly template_hash: string | readonly number[]
    readonly state_span: { readonly offset: number; readonly len: number }
  }
}

/** What the SilverScript compiler writes (`schema_version` 1). Literal types come from `as const`. */
export interface ContractArtifact {
  readonly schema_version: number
  readonly structs: Readonly<Record<string, { readonly fields: readonly AbiField[] }>>
  readonly contracts: Readonly<Record<string, AbiContract>>
}

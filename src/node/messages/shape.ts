import type { ScriptPublicKey } from '../../model/utxo.js'

/**
 * The schema language of the node's records: plain data, from which TypeScript infers each record's type (`ValueOf`)
 * and which both codecs interpret. No runtime code.
 */

/** The TypeScript type of each scalar on the wire. */
export interface ScalarValues {
  readonly u8: number
  readonly u16: number
  readonly u32: number
  readonly u64: bigint
  readonly i64: bigint
  /**
   * A u64: sompi, at most the supply. This scalar and the next four have a range, which what a node sends is held to.
   */
  readonly sompi: bigint
  /** A u64: a DAA or blue score, at most 2^63 - 1. */
  readonly score: bigint
  /** A u64: Unix milliseconds, at most the end of the year 9999. */
  readonly time: bigint
  /** A u64: a count, a size in bytes or a mass, at most 2^63 - 1. */
  readonly count: bigint
  /** An f64: finite, from 0. */
  readonly measure: number
  readonly f32: number
  readonly f64: number
  readonly bool: boolean
  readonly text: string
  /** 32 bytes as 64 hex digits. */
  readonly hash: string
  /** Any number of bytes in hex. */
  readonly bytes: string
  /** The same; JSON writes it as an array of byte numbers. */
  readonly byteList: string
  /** 20 bytes in hex. */
  readonly subnetworkId: string
  /** 192 bits as 48 hex digits, most significant first. */
  readonly blueWork: string
  readonly scriptPublicKey: ScriptPublicKey
  readonly address: string
  /** `mainnet`, `testnet`, `devnet` or `simnet`. */
  readonly networkType: string
  /** `mainnet`, `testnet-10`, … */
  readonly networkId: string
  /** IPv4 or IPv6 as text. */
  readonly ip: string
  readonly uuid: string
}

export type Scalar = keyof ScalarValues

/** The version tag in front of a structure in Borsh; `none` if there is none. JSON has no tags. */
type Tag = 'u8' | 'u16' | 'none'

export interface Struct {
  readonly tag: Tag
  /** The tag to write, if it is neither 1 nor the 2 of a structure with added fields. */
  readonly version?: number
  /** In wire order. */
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, Field>>

export type Field =
  | Shape
  /** A field appended by newer nodes, which raise the tag to 2. `absent` is the wire value for `undefined`. */
  | { readonly added: Shape; readonly absent?: number }
  /** A field with other names in JSON: a request writes the first, a response writes all, a reader accepts any. */
  | { readonly named: readonly [string, ...string[]]; readonly is: Shape }
  /** The only field of a record; JSON writes its value in place of the record. */
  | { readonly inline: Shape }
  /** A nested structure whose fields are flattened into the record. */
  | { readonly spread: { readonly box: Struct } }

export type Shape =
  | Scalar
  | Struct
  /** An optional value. */
  | { readonly opt: Shape }
  | { readonly vec: Shape }
  /** Prefixed with its length, so that older readers skip fields appended by newer writers. */
  | { readonly box: Shape }
  /** A boxed list of boxed items. */
  | { readonly boxvec: Shape }
  /** A boxed option of a boxed item. */
  | { readonly boxopt: Shape }
  /** A bare value behind a one-byte tag; JSON writes the value only. */
  | { readonly tagged: Shape }
  /** An enum: names in JSON, numbers in Borsh. */
  | { readonly oneOf: Readonly<Record<string, number>>; readonly width: 'u8' | 'i32' }
  /** A union discriminated by `type`: in Borsh by position, in JSON by a key `type`. */
  | { readonly union: Readonly<Record<string, Fields>> }
  /** A header's parents by level, run-length encoded: each run with the number of levels up to its end. */
  | { readonly levels: Shape }
  /** The scope of a subscription: a `NotificationScope`. */
  | {
      readonly scope: Readonly<
        Record<string, { readonly variant: number; readonly name: string; readonly scope: Fields }>
      >
    }

/** The TypeScript type that a shape describes. */
export type ValueOf<S> = S extends Scalar
  ? ScalarValues[S]
  : S extends { readonly fields: infer F }
    ? RecordOf<F>
    : S extends { readonly opt: infer I } | { readonly boxopt: infer I }
      ? ValueOf<I> | undefined
      : S extends { readonly vec: infer I } | { readonly boxvec: infer I }
        ? readonly ValueOf<I>[]
        : S extends { readonly box: infer I } | { readonly tagged: infer I }
          ? ValueOf<I>
          : SpecialValueOf<S>

type SpecialValueOf<S> = S extends { readonly oneOf: infer N }
  ? keyof N
  : S extends { readonly union: infer U }
    ? { [K in keyof U]: Plain<{ readonly type: K } & RecordOf<U[K]>> }[keyof U]
    : S extends { readonly levels: infer I }
      ? readonly (readonly ValueOf<I>[])[]
      : S extends { readonly scope: infer C }
        ? { [K in keyof C]: Plain<{ readonly type: K } & ScopeFieldsOf<C[K]>> }[keyof C]
        : never

type ScopeFieldsOf<C> = C extends { readonly scope: infer F } ? RecordOf<F> : never

/** The record type of a list of fields. Optional fields may be absent or undefined; spread fields are flattened. */
type RecordOf<F> = Plain<
  { readonly [K in RequiredKey<F>]: FieldValue<F[K]> } & {
    readonly [K in OptionalKey<F>]?: FieldValue<F[K]> | undefined
  } & SpreadOf<F>
>

type FieldValue<F> = F extends { readonly added: infer I } | { readonly is: infer I } | { readonly inline: infer I }
  ? ValueOf<I>
  : ValueOf<F>

type SpreadKey<F> = { [K in keyof F]: F[K] extends { readonly spread: unknown } ? K : never }[keyof F]
type OptionalKey<F> = { [K in keyof F]: IsOptional<F[K]> extends true ? K : never }[keyof F]
type RequiredKey<F> = Exclude<keyof F, SpreadKey<F> | OptionalKey<F>>

type IsOptional<F> = F extends { readonly opt: unknown } | { readonly boxopt: unknown } | { readonly added: unknown }
  ? true
  : F extends { readonly is: infer I }
    ? IsOptional<I>
    : false

type SpreadOf<F> = [SpreadKey<F>] extends [never]
  ? unknown
  : Intersection<
      {
        [K in SpreadKey<F>]: F[K] extends { readonly spread: { readonly box: infer S } } ? ValueOf<S> : never
      }[SpreadKey<F>]
    >

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void ? I : never
type Plain<T> = { [K in keyof T]: T[K] }

/** A method of the node. Its types, both encodings and the version check derive from its entry. */
export interface MethodEntry {
  /** Its code in Borsh. JSON names it by its key. */
  readonly op: number
  /** The node version that added it. Older nodes close the connection on unknown methods. Absent: every node has it. */
  readonly since?: string
  readonly request: Shape
  readonly response: Shape
}

/** A request or response without fields. */
export const emptyBody = { tag: 'u16', fields: {} } as const satisfies Shape

import type { ScriptPublicKey } from '../../model/utxo.js'

/**
 * The language in which the node's records are written down: plain data, from which TypeScript infers each record's type
 * (`ValueOf`) and which both codecs read. Nothing here runs.
 */

/** What a single value on the wire is in TypeScript. */
export interface ScalarValues {
  readonly u8: number
  readonly u16: number
  readonly u32: number
  readonly u64: bigint
  readonly i64: bigint
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

/** The version tag that opens a structure in Borsh; `none` where it has none. JSON knows no tags. */
export type Tag = 'u8' | 'u16' | 'none'

export interface Struct {
  readonly tag: Tag
  /** The tag that is written, where it is neither 1 nor that of an added field. */
  readonly version?: number
  /** In the order of the wire. */
  readonly fields: Fields
}

export type Fields = Readonly<Record<string, Field>>

export type Field =
  | Shape
  /** A field that younger nodes append, with the tag raised to 2. `absent` is what stands on the wire for `undefined`. */
  | { readonly added: Shape; readonly absent?: number }
  /** A field that JSON calls otherwise: a request writes the first name, a response all of them, a reader takes any. */
  | { readonly named: readonly [string, ...string[]]; readonly is: Shape }
  /** A field that JSON shows in the place of the record that holds it, and that stands alone there. */
  | { readonly inline: Shape }
  /** A nested structure whose fields stand directly in the record. */
  | { readonly spread: { readonly box: Struct } }

export type Shape =
  | Scalar
  | Struct
  /** A value that may be missing. */
  | { readonly opt: Shape }
  | { readonly vec: Shape }
  /** With its length in front, so that an older reader can skip what a younger writer appends. */
  | { readonly box: Shape }
  /** A boxed list of boxed items. */
  | { readonly boxvec: Shape }
  /** A boxed option of a boxed item. */
  | { readonly boxopt: Shape }
  /** A bare value behind a tag of one byte; JSON shows the value alone. */
  | { readonly tagged: Shape }
  /** One of several names, each a number in Borsh. */
  | { readonly oneOf: Readonly<Record<string, number>>; readonly width: 'u8' | 'i32' }
  /** One of several records, told apart by `type`: in Borsh by position, in JSON by a key `type` among the others. */
  | { readonly union: Readonly<Record<string, Fields>> }
  /** The parents of a header, level by level, where equal neighbours travel once, with the number of levels so far. */
  | { readonly levels: Shape }
  /** What a subscription is for: a `NotificationScope`. */
  | {
      readonly scope: Readonly<
        Record<string, { readonly variant: number; readonly name: string; readonly scope: Fields }>
      >
    }

/** The TypeScript type of what a shape describes. */
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

/** The record that a list of fields makes: optional fields may be missing or undefined, spread ones give their own. */
export type RecordOf<F> = Plain<
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

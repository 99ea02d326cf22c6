import type { NodeNotification, RpcMethod, RpcResponse } from '../../node/messages/records.js'
import type { Frame } from '../../wrpc/codec.js'
import type { WireError } from '../../wrpc/wire-error.js'
import type { HttpRequest, HttpResponse } from '../http.js'
import type { Random } from '../random.js'

/** What happens to a client that comes to the door. `accept` but `close`: it is let in and cut off at once. */
export type Arrival =
  | { readonly kind: 'accept' | 'reset' | 'silence' | 'close' }
  | { readonly kind: 'status'; readonly status: number }
  /** It is left standing until the promise resolves, or let in at once and hears nothing until then. */
  | { readonly kind: 'wait' | 'mute'; readonly until: Promise<void> }

/** What happens to a call in place of being executed: the node refuses it, or cuts the connection. */
export type CallFate = { readonly kind: 'refuse'; readonly error: WireError } | { readonly kind: 'cut' }

/** One message on its way to a client. */
export interface Parcel {
  readonly frame: Frame
  /** The method it answers; undefined for a notification. */
  readonly answers: RpcMethod | undefined
  /** Milliseconds on the way. What follows on the same connection waits behind it. */
  readonly delay: number
  /** Milliseconds for which it is held back while what follows passes by. */
  readonly held: number
  /** Bytes a second at which it drips; undefined: all at once. */
  readonly pace: number | undefined
}

/** How answers are falsified: by method, the record as a client is to see it. */
export type Falsified = { readonly [M in RpcMethod]?: (response: RpcResponse<M>) => RpcResponse<M> }

/** What is answered in place of executing a call, by method. */
export type Excuses = { readonly [M in RpcMethod]?: () => RpcResponse<M> }

/**
 * Something that goes wrong. It may take a hand in each moment where the node touches the world; a hook that is missing
 * leaves its moment alone. Faults that are active together act one after the other, in the order in which they began.
 */
export interface Fault {
  begin?(): void
  end?(): void
  arrival?(): Arrival
  call?(method: RpcMethod): CallFate | undefined
  readonly instead?: Excuses
  readonly falsified?: Falsified
  /** What one step of the ledger brings to one connection. */
  notifications?(batch: readonly NodeNotification[]): readonly NodeNotification[]
  /** One message becomes none, itself altered, or several. */
  parcel?(parcel: Parcel): readonly Parcel[]
  /** An answer in place of the REST side's own. */
  rest?(request: HttpRequest): HttpResponse | undefined
}

/** A client's connection, as far as faults may handle it. */
export interface Victim {
  /** The TCP connection ends without a close frame, as a real node ends all of them; the client sees 1006. */
  cut(): void
  /** A TCP reset. */
  reset(): void
  /** A close frame, as a proxy in front of the node sends it. */
  close(code: number): void
  /** Reads and writes nothing more, until `thaw` has been called as often. */
  freeze(): void
  thaw(): void
}

/** What a fault can reach. */
export interface Scene {
  readonly random: Random
  /** The connections that are open now. */
  victims(): readonly Victim[]
  /** Interval mining rests, until `resumeMining` has been called as often. */
  pauseMining(): void
  resumeMining(): void
  /** Mines a block at once; clients are told within the call. */
  mine(): void
  /** To be called each time the fault has struck: it ends when it has struck as often as it was meant to. */
  struck(): void
}

export type FaultSettings = Readonly<Record<string, number | string>>

/** A kind of fault. */
export interface FaultKind<S extends FaultSettings = FaultSettings> {
  /** What it does, in a sentence. */
  readonly about: string
  /** Every setting with its default. */
  readonly settings: S
  /** The values that a setting is restricted to. */
  readonly choices?: { readonly [K in keyof S]?: readonly S[K][] }
  /** After how many strikes it is over; 0: never by itself. @default 0 */
  readonly times?: number
  create(settings: S, scene: Scene): Fault
}

/** Settings that any fault takes besides its own. */
export interface FaultSpan {
  /** Milliseconds after which it is over by itself; 0: never. @default 0 */
  readonly for?: number
  /** After how many strikes it is over; 0: never. The default is the fault's own. */
  readonly times?: number
}

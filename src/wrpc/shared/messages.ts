import type { RpcEncoding } from '../../model/network.js'
import type { NodeNotification, RpcMethod } from '../../node/messages/records.js'
import { isRpcMethod } from '../../node/messages/lookup.js'
import type { ResponseFormat, DecodedMessage } from '../codec.js'
import type { ErrorFacts } from './plain-data.js'
import { TransactionIds } from '../../model/transaction-ids.js'
import type { UtxoColumns } from '../../model/utxo-columns/columns.js'
import type { AcceptedIds, ChainIds } from '../../node/port.js'

/** The messages between the tabs of an origin and the shared worker that has their sockets. All are plain data. */

/** Part of the worker's name: tabs of two versions have a worker each, so nothing is negotiated. */
export const PROTOCOL_VERSION = 1

/** What a tab sends. `connection` numbers the virtual connections of a tab. */
export interface ToWorkerMap {
  /** The first message. `lock`: the Web Lock that the tab has while it has a connection. */
  readonly hello: { readonly version: number; readonly lock: string }
  readonly dial: {
    readonly connection: number
    readonly network: string
    readonly url: string
    readonly encoding: RpcEncoding
    /** Bytes. */
    readonly maxFrameSize: number
    /** Of a subscription, ms. */
    readonly requestTimeout: number
  }
  readonly call: {
    readonly connection: number
    readonly id: bigint
    readonly method: RpcMethod
    readonly format: ResponseFormat
    readonly request: unknown
  }
  readonly cancel: { readonly connection: number; readonly id: bigint }
  /** How many notifications of the connection have arrived in all. */
  readonly ack: { readonly connection: number; readonly received: number }
  readonly close: { readonly connection: number }
}

/** What the worker sends. */
export interface ToTabMap {
  /** The reply to `hello`, and again with each change of `tabs`. `epoch`: of this worker; its lock ends with it. */
  readonly epoch: { readonly epoch: string; readonly tabs: number }
  readonly open: { readonly connection: number }
  /** The node could not be dialled. */
  readonly refused: { readonly connection: number; readonly error: ErrorFacts }
  readonly result: {
    readonly connection: number
    readonly id: bigint
    readonly method: RpcMethod
    readonly format: ResponseFormat
    readonly response: unknown
  }
  readonly error: { readonly connection: number; readonly id: bigint; readonly error: ErrorFacts }
  readonly notification: { readonly connection: number; readonly notification: NodeNotification }
  /** A notification could not be decoded. */
  readonly malformed: { readonly connection: number; readonly error: ErrorFacts }
  readonly closed: { readonly connection: number; readonly code: number | undefined; readonly reason: string }
}

type MessageOf<Map> = { [Type in keyof Map]: { readonly type: Type } & Map[Type] }[keyof Map]

export type ToWorker = MessageOf<ToWorkerMap>
export type ToTab = MessageOf<ToTabMap>

/** A message port of a tab or of the worker. */
export interface WorkerPort {
  post(message: ToWorker | ToTab): void
  /** Replaces what receives the messages; those that came before the first call are received then. */
  receive(handler: (data: unknown) => void): void
  close(): void
}

export const toWorkerPort = (port: MessagePort): WorkerPort => ({
  post: (message) => port.postMessage(message),
  receive: (handler) => {
    port.onmessage = ({ data }: MessageEvent<unknown>) => handler(data)
  },
  close: () => port.close(),
})

type Test = (value: unknown) => boolean
type Fields<Map> = { readonly [Type in keyof Map]: { readonly [Field in keyof Map[Type]]: Test } }

const isText: Test = (value) => typeof value === 'string' && value.length <= MAX_TEXT
const isCount: Test = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isId: Test = (value) => typeof value === 'bigint'
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isEncoding: Test = (value) => value === 'Borsh' || value === 'SerdeJson'
const isFormat: Test = (value) => value === 'record' || value === 'columns' || value === 'ids'
const isAnything: Test = () => true

/** The longest URL, or name of a lock. */
const MAX_TEXT = 4_096

/** What the worker accepts: any script of the origin may post to it. */
const TO_WORKER: Fields<ToWorkerMap> = {
  hello: { version: isCount, lock: isText },
  dial: {
    connection: isCount,
    network: isText,
    url: isText,
    encoding: isEncoding,
    maxFrameSize: isCount,
    requestTimeout: isCount,
  },
  call: { connection: isCount, id: isId, method: isRpcMethod, format: isFormat, request: isRecord },
  cancel: { connection: isCount, id: isId },
  ack: { connection: isCount, received: isCount },
  close: { connection: isCount },
}

/** What a tab accepts of its worker. */
const TO_TAB: Fields<ToTabMap> = {
  epoch: { epoch: isText, tabs: isCount },
  open: { connection: isCount },
  refused: { connection: isCount, error: isRecord },
  result: { connection: isCount, id: isId, method: isRpcMethod, format: isFormat, response: isAnything },
  error: { connection: isCount, id: isId, error: isRecord },
  notification: { connection: isCount, notification: isRecord },
  malformed: { connection: isCount, error: isRecord },
  closed: { connection: isCount, code: isAnything, reason: isText },
}

/** A message of a tab; undefined for anything else. */
export const toWorkerMessage = (data: unknown): ToWorker | undefined =>
  isMessage(TO_WORKER, data) ? (data as ToWorker) : undefined

/** A message of the worker; undefined for anything else. */
export const toTabMessage = (data: unknown): ToTab | undefined =>
  isMessage(TO_TAB, data) ? (data as ToTab) : undefined

function isMessage(table: Readonly<Record<string, Readonly<Record<string, Test>>>>, data: unknown): boolean {
  if (!isRecord(data) || typeof data.type !== 'string' || !Object.hasOwn(table, data.type)) return false
  return Object.entries(table[data.type] ?? {}).every(([field, accepts]) => accepts(data[field]))
}

/** Responses as plain data: a class loses its methods where it is cloned. */

/** The ids of a block, as bytes or hex. */
interface PlainBlock extends Omit<AcceptedIds, 'transactionIds'> {
  readonly transactionIds: Uint8Array | readonly string[]
}

interface PlainChainIds extends Omit<ChainIds, 'blocks'> {
  readonly blocks: readonly PlainBlock[]
}

/** The response of a call, as it is posted. */
export const encodeResponse = (format: ResponseFormat, response: unknown): unknown =>
  format === 'ids' ? encodeIds(response as ChainIds) : response // the format decides the type

/** A response in the form of a codec, which decodes some in steps. */
export function decodeResponse({ id, method, format, response }: ToTabMap['result']): DecodedMessage {
  if (format === 'columns') return { kind: 'columns', id, columns: atOnce(response as UtxoColumns) }
  if (format === 'ids') return { kind: 'ids', id, page: decodeIds(response as PlainChainIds) }
  return { kind: 'response', id, method, response } as DecodedMessage // a record of the method
}

const encodeIds = ({ blocks, ...page }: ChainIds): PlainChainIds => ({
  ...page,
  blocks: blocks.map(({ header, transactionIds }) => ({ header, transactionIds: transactionIds.toPlain() })),
})

const decodeIds = ({ blocks, ...page }: PlainChainIds): ChainIds => ({
  ...page,
  blocks: blocks.map(({ header, transactionIds }) => ({ header, transactionIds: new TransactionIds(transactionIds) })),
})

function* atOnce<Value>(value: Value): Generator<undefined, Value> {
  yield* []
  return value
}

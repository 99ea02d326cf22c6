import type { Observable } from 'rxjs'
import type { ATTACH } from '../recorder-key.js'
import type { ChainRestErrorCode } from '../../errors/rest-error.js'
import type { ChainRpcErrorCode } from '../../errors/rpc-error.js'
import type { ChainWalletErrorCode } from '../../errors/wallet-error.js'
import type { RpcEncoding } from '../../model/network.js'
import type { NotificationType, RpcMethod } from '../../node/messages/records.js'
import type { RestReport } from '../../rest/options.js'
import type { RpcConnectionState } from '../../streams/connection/state.js'
import type { TransactionPhase } from '../../streams/status/status.js'
import type { WalletOperation } from '../../streams/wallet/wallet-session.js'
import type { WasmStatus } from '../../streams/wasm.js'
import type { RecordedEndpoint, RestPath } from './masks.js'

/** Keeps the newest events of an engine, for a bug report, for metrics, and for DevTools. */
export interface Recorder {
  /** Every record as it is made. Hot; replays nothing, never errors or completes. */
  readonly records$: Observable<FlightRecord>
  /** The newest records, oldest first. */
  readonly records: () => readonly FlightRecord[]
  /**
   * The records, the options without credentials, versions and platform as JSON, to attach to a bug report. With
   * `frames: true` also the raw frames, where they were captured: they contain addresses and signed transactions.
   */
  readonly export: (options?: { readonly frames?: boolean | undefined }) => string
  /** Removes all records and frames. */
  readonly clear: () => void
  /** For engines. */
  readonly [ATTACH]: unknown
}

/**
 * One entry of a flight recorder. No field takes free text: names and codes are literals, URLs are reduced to their
 * origin, paths to their known words. Keys, mnemonics, scripts and message texts have no field to be in.
 */
export type FlightRecord =
  | ConnectionRecord
  | DialRecord
  | ResolverRecord
  | CallRecord
  | NotificationRecord
  | UtxosRecord
  | BackfillRecord
  | RollbackRecord
  | GapRecord
  | PaymentRecord
  | RestRecord
  | WalletRecord
  | WasmRecord
  | TimerRecord
  | EnvironmentRecord

export interface TimedRecord {
  /** Unix milliseconds. */
  readonly at: number
}

/** A transition of the connection. */
export interface ConnectionRecord extends TimedRecord {
  readonly type: 'connection'
  readonly status: RpcConnectionState
  readonly endpoint: RecordedEndpoint | null
  readonly attempt: number
  /** Why the last attempt failed, or the connection ended. */
  readonly reason: ChainRpcErrorCode | null
}

/** An endpoint was chosen and is dialled. */
export interface DialRecord extends TimedRecord {
  readonly type: 'dial'
  readonly endpoint: RecordedEndpoint
  readonly encoding: RpcEncoding
}

/** A request to a resolver has ended. */
export interface ResolverRecord extends TimedRecord {
  readonly type: 'resolver'
  readonly ms: number
  readonly outcome: 'ok' | ChainRpcErrorCode
  /** The node that was found. */
  readonly endpoint: RecordedEndpoint | null
}

/** A request to the node has ended. */
export interface CallRecord extends TimedRecord {
  readonly type: 'call'
  readonly method: RpcMethod
  readonly ms: number
  /** Bytes of the request; null where the connection uses no socket of the platform. */
  readonly sent: number | null
  /** Bytes of the response; null without one. */
  readonly received: number | null
  readonly outcome: 'ok' | ChainRpcErrorCode
}

/** A notification of the node. */
export interface NotificationRecord extends TimedRecord {
  readonly type: 'notification'
  readonly notification: NotificationType
  readonly bytes: number | null
  /** What it contains: transactions of a block, changed UTXO entries or chain blocks; else 1. */
  readonly count: number
}

/** The tracked UTXO sets have changed. */
export interface UtxosRecord extends TimedRecord {
  readonly type: 'utxos'
  readonly from: 'notification' | 'snapshot'
  readonly addresses: number
  readonly added: number
  readonly removed: number
}

/** Chain blocks or blocks were read to fill an outage, or from a position in the past. */
export interface BackfillRecord extends TimedRecord {
  readonly type: 'backfill'
  readonly method: RpcMethod
  readonly blocks: number
}

/** Chain blocks have left the virtual chain. */
export interface RollbackRecord extends TimedRecord {
  readonly type: 'rollback'
  readonly blocks: number
}

/** A part of a stream could not be read. */
export interface GapRecord extends TimedRecord {
  readonly type: 'gap'
  readonly stream: 'accepted-transactions' | 'blocks'
}

/** A step of an own payment, or a phase of a followed transaction. */
export interface PaymentRecord extends TimedRecord {
  readonly type: 'payment'
  readonly phase: 'started' | 'submitted' | 'failed' | TransactionPhase
  /** Null until the transaction exists. */
  readonly transactionId: string | null
}

/** A response of the indexer or the cache, or the failure of a request. */
export interface RestRecord extends TimedRecord, Omit<RestReport, 'path'> {
  readonly type: 'rest'
  readonly path: RestPath
  readonly outcome: 'ok' | ChainRestErrorCode
}

/** An operation of the browser wallet has ended. */
export interface WalletRecord extends TimedRecord {
  readonly type: 'wallet'
  readonly operation: WalletOperation
  readonly ms: number
  readonly outcome: 'ok' | ChainWalletErrorCode
}

/** The WASM module has another status. */
export interface WasmRecord extends TimedRecord {
  readonly type: 'wasm'
  readonly status: WasmStatus
}

/** A timer fired late: the page was throttled, the process was busy, or the machine slept. */
export interface TimerRecord extends TimedRecord {
  readonly type: 'timer'
  /** Milliseconds. */
  readonly late: number
}

/** The environment went online or offline, or the page was shown or hidden. */
export interface EnvironmentRecord extends TimedRecord {
  readonly type: 'environment'
  readonly change: 'online' | 'offline' | 'visible' | 'hidden'
}

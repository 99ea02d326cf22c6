import type { Observable } from 'rxjs'
import type { BlockInfo } from '../model/block-info.js'
import type { RpcEvent, RpcEventType } from '../model/event.js'
import type { RpcEventMap } from '../node/messages/records.js'
import type { AcceptanceChange, Gap } from '../streams/acceptance/change.js'
import type { ServerState } from '../streams/session/server-state.js'
import type { TransactionStatus, TransactionStatusOptions } from '../streams/status/status.js'
import type { UtxoLedger, UtxoOptions } from '../streams/utxos/state.js'
import type { ConnectionControl } from './connection-control.js'

/** Everything an engine can do, joined. Making one does no work; listening, asking and connecting do. */
export interface ChainEngine {
  readonly connection: ConnectionControl
  readonly server$: Observable<ServerState>
  readonly virtualDaaScore$: Observable<bigint>
  readonly sinkBlueScore$: Observable<bigint>
  events$<Type extends RpcEventType>(type: Type): Observable<RpcEvent<RpcEventMap[Type]>>
  readonly gaps$: Observable<Gap>
  utxos(addresses: readonly string[] | Observable<readonly string[]>, options?: UtxoOptions): UtxoLedger
  acceptedTransactions$(): Observable<AcceptanceChange>
  blocks$(): Observable<BlockInfo>
  transactionStatus$(transactionId: string, options?: TransactionStatusOptions): Observable<TransactionStatus>
  dispose(): Promise<void>
}

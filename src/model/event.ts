/** Events of a node connection. */
export type RpcEventType =
  | 'connect'
  | 'disconnect'
  | 'block-added'
  | 'virtual-chain-changed'
  | 'utxos-changed'
  | 'finality-conflict'
  | 'finality-conflict-resolved'
  | 'sink-blue-score-changed'
  | 'virtual-daa-score-changed'
  | 'new-block-template'
  | 'pruning-point-utxo-set-override'

/** The envelope of an event. */
export interface RpcEvent<T = unknown> {
  readonly type: RpcEventType
  readonly data: T
  /** When it was received, Unix milliseconds. */
  readonly timestamp: number
}

/** Scopes without parameters, by the suffix of their subscription methods. */
export const PLAIN_SCOPES = {
  BlockAdded: 'block-added',
  FinalityConflict: 'finality-conflict',
  FinalityConflictResolved: 'finality-conflict-resolved',
  SinkBlueScoreChanged: 'sink-blue-score-changed',
  VirtualDaaScoreChanged: 'virtual-daa-score-changed',
  DaaScore: 'virtual-daa-score-changed',
  PruningPointUtxoSetOverride: 'pruning-point-utxo-set-override',
  NewBlockTemplate: 'new-block-template',
} as const

export type PlainScopeName = keyof typeof PLAIN_SCOPES

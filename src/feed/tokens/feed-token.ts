import type { TokenDefinition } from '../../model/tokens/define-token.js'
import type { SnapshotOutput } from '../../streams/contracts/start-rows.js'

/** A token that a feed follows. */
export interface FeedToken extends TokenDefinition {
  /**
   * Its unspent outputs, of any source, where the feed begins after its genesis: each is verified in the UTXO set, or
   * in the block that has it again after a reorg. Not needed once they are too deep for a reorg.
   * @default the outputs of the genesis
   */
  readonly snapshot?: readonly SnapshotOutput[] | undefined
}

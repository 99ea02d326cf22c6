import type { Contract } from '../../model/contracts/contract.js'
import { covenantIdOfGenesis, type GenesisRecord } from '../../model/covenant-id.js'
import type { ContractRow } from '../../model/contracts/rows.js'
import type { FollowChainOptions } from '../../streams/chain/options.js'
import type { ContractBatches } from '../../streams/contracts/follow-contracts.js'

/** A contract that is followed by a feed. */
export interface ContractFeedInstance {
  readonly contract: { readonly templateHash: string }
  readonly genesis: GenesisRecord<unknown>
}

/** What `createContracts` of `vue-chain/contracts` returns. */
export interface FollowedContracts {
  follow(
    options: Omit<FollowChainOptions, 'detail'> & {
      readonly instances: readonly (ContractFeedInstance & { readonly snapshot?: readonly ContractRow[] | undefined })[]
    },
  ): ContractBatches
}

/** The covenant of an instance. */
export const idOf = (contract: ContractFeedInstance['contract'], genesis: GenesisRecord<unknown>): string =>
  covenantIdOfGenesis(contract as Contract, genesis as never)

/**
 * The entry point `vue-chain/contracts`: artifacts of contracts with their types and codec, and their plans, calls and
 * instances on the network of an engine. Without Vue and without Node's modules.
 */

export { createContracts } from './create-contracts.js'
export type {
  Contracts,
  ContractsOptions,
  FollowedInstance,
  FollowInstancesOptions,
  InstanceOptions,
} from './create-contracts.js'
export type { ContractInstance, ContractOutput, InstanceCalls, InstanceView } from './instance.js'
export type { Beginning } from './follow-store.js'
export type { UnconfirmedCall } from './unconfirmed-calls.js'
export type { SnapshotOutput } from '../streams/contracts/start-rows.js'
export { putRows, rollbackRows } from '../model/contracts/rows.js'
export type { ContractRow, ContractRows, RowCause, RowSpend } from '../model/contracts/rows.js'
export type { MovedCall } from '../model/contracts/instance-state.js'
export type { ContractBatch, ContractBatches } from '../streams/contracts/follow-contracts.js'
export type { RowChanges } from '../streams/contracts/follow-rows.js'
export type {
  CallLayout,
  CallOptions,
  ContractCall,
  ContractAmounts,
  ContractPlan,
  ContractSettings,
  ContractSummary,
  DeployPlan,
  DeploySettings,
  SentCalls,
} from '../operations/contracts/contract-call.js'
export type { SignedCall } from '../sdk/port.js'
export {
  isContractMoved,
  isContractRefused,
  isGenesisMismatch,
  isInsufficientTokens,
  isNotFungible,
  isTooFragmented,
  isUnsupportedOwner,
} from '../errors/contract-errors.js'
export type {
  ContractMove,
  ContractMovedError,
  ContractRefusal,
  ContractRefusedError,
  GenesisIds,
  GenesisMismatchError,
  InsufficientTokensError,
  NotFungibleError,
  OwnerScheme,
  TokenAmounts,
  TokenKinds,
  TokenMerges,
  TooFragmentedError,
  UnsupportedOwnerError,
} from '../errors/contract-errors.js'

export { createTokens } from './tokens/create-tokens.js'
export type {
  TokenHistoryOptions,
  TokenMergeOptions,
  Tokens,
  TokensOptions,
  TokenTransferOptions,
} from './tokens/create-tokens.js'
export type { TokenSource } from './tokens/added-token.js'
export type { AddedToken, TokenDefinition } from '../model/tokens/define-token.js'
export type { TokenBalances, TokenBatch, TokenBatches } from './tokens/owned-tokens.js'
export type { TokenBalance } from '../model/tokens/amounts.js'
export { tokenState } from '../model/tokens/owner.js'
export type { TokenOwner } from '../model/tokens/owner.js'
export type { TokenState, TokenRoles } from '../model/tokens/token-program.js'
export type { TokenTransfer } from '../model/tokens/transfers.js'

export { defineContract } from '../model/contracts/contract.js'
export type { DefineContractOptions, Contract } from '../model/contracts/contract.js'
export type { AbiContract, AbiEntry, AbiField, AbiType, ContractArtifact } from '../model/contracts/artifact.js'
export { covenantIdOfGenesis } from '../model/covenant-id.js'
export type { GenesisRecord } from '../model/covenant-id.js'
export type { SignatureOf } from '../model/contracts/value-codec.js'
export type {
  BytesArgument,
  ContractName,
  ContractRecord,
  ContractScalars,
  ContractScope,
  ContractStateInput,
  ContractStateOf,
  ContractStruct,
  ContractValue,
  ContractValueOf,
  DeclaredEntries,
  EntryArguments,
  EntryKeys,
  EntryName,
  GeneratedEntry,
  IsGeneratedEntry,
  SignedBy,
  ValueDirection,
} from '../model/contracts/values.js'
export { ChainError } from '../errors/chain-error.js'
export type { ChainErrorCode, ChainErrorOptions } from '../errors/chain-error.js'

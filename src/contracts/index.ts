/**
 * The entry point `vue-chain/contracts`: artifacts of contracts with their types and codec. Without Vue and without
 * Node's modules.
 */

export { defineContract } from '../model/contracts/define-contract.js'
export type { DefineContractOptions } from '../model/contracts/define-contract.js'
export type { Contract } from '../model/contracts/contract.js'
export type { AbiContract, AbiEntry, AbiField, AbiType, ContractArtifact } from '../model/contracts/artifact.js'
export { covenantIdOfGenesis } from '../model/contracts/genesis.js'
export type { GenesisRecord } from '../model/contracts/genesis.js'
export type { SignatureOf } from '../model/contracts/scalar-codec.js'
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

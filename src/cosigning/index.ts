/**
 * The entry point `vue-chain/cosigning`: accounts of several signers, on the network of an engine. Without Vue and
 * without Node's modules.
 */

export { createCosigning } from './create-cosigning.js'
export type { Cosigning, CosigningOptions, DescriptorOptions } from './create-cosigning.js'
export type {
  BranchOptions,
  CosigningAccount,
  CosigningAccountOptions,
  CosigningAddress,
  CosigningScan,
} from '../streams/accounts/cosigning-records.js'
export type {
  AccountAddress,
  AccountScan,
  AccountOptions,
  NextAddressOptions,
  ScanOptions,
} from '../streams/accounts/records.js'
export type { AddressSource } from '../streams/addresses.js'
export type { SpendingAccount } from '../model/cosigning/spending-account.js'
export type { AccountValue, CosigningAccountSettings, CosigningPath } from '../model/cosigning/account-value.js'
export type { Cosigner } from '../model/cosigning/cosigners.js'
export type { ScriptPublicKey } from '../model/utxo.js'

/**
 * The entry point `vue-chain/cosigning`: accounts of several signers, on the network of an engine. Without Vue and
 * without Node's modules.
 */

export { createCosigning } from './create-cosigning.js'
export type { Cosigning, CosigningOptions } from './create-cosigning.js'
export type { BranchOptions, CosigningAccount, CosigningAccountOptions, DescriptorOptions } from './records.js'
export type { AccountValue, CosigningAccountSettings, CosigningPath } from '../model/cosigning/account-value.js'
export type { Cosigner } from '../model/cosigning/cosigners.js'
export type { ScriptPublicKey } from '../model/utxo.js'

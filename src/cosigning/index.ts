/**
 * The entry point `vue-chain/cosigning`: accounts of several signers, on the network of an engine. Without Vue and
 * without Node's modules.
 */

export { createCosigning } from './create-cosigning.js'
export type { Cosigning, CosigningOptions, DescriptorOptions, OpenProposalOptions } from './create-cosigning.js'
export type {
  BranchOptions,
  CosigningAccount,
  CosigningAccountOptions,
  CosigningAddress,
  CosigningScan,
} from '../streams/accounts/cosigning-account.js'
export type {
  AccountAddress,
  AccountScan,
  AccountOptions,
  NextAddressOptions,
  ScanOptions,
} from '../streams/accounts/accounts.js'
export type { AddressSource } from '../streams/addresses.js'
export type { SpendingAccount } from '../model/cosigning/spending-account.js'
export type { AccountValue, CosigningAccountSettings, CosigningPath } from '../model/cosigning/account-value.js'
export type { Cosigner } from '../model/cosigning/cosigners.js'
export type { ScriptPublicKey } from '../model/utxo.js'
export type {
  CosignerState,
  CosigningKeys,
  FromPskbOptions,
  Proposal,
  ProposalReview,
  RejectedSignature,
  ReviewedInput,
  ReviewedOutput,
  ToPskbOptions,
  TransactionReview,
} from '../operations/cosigning/records.js'
export { isInvalidPskb, isSignaturesMissing, isUntrustedPskb } from '../errors/cosigning-errors.js'
export type {
  InvalidPskb,
  InvalidPskbError,
  InvalidPskbReason,
  MissingSignatures,
  SignaturesMissingError,
  UntrustedPskb,
  UntrustedPskbError,
  UntrustedPskbReason,
} from '../errors/cosigning-errors.js'

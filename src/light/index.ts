/** Entry point `vue-chain/light`: keys, signatures and verification without WASM. Without Vue. */

// The option `sdk`
export { light } from '../sdk/light/light.js'
export type { SdkSource } from '../sdk/port.js'

// Verification, for servers
export { createAddress, isValidMnemonic, verifyMessage } from '../engine/verification.js'
export { verifySignInMessage } from '../engine/sign-in.js'
export { createSignInHandler } from '../engine/sign-in-handler/create-sign-in-handler.js'
export type {
  NodeSignInRequest,
  NodeSignInResponse,
  SignInHandler,
} from '../engine/sign-in-handler/create-sign-in-handler.js'
export { createMemoryNonceStore } from '../engine/sign-in-handler/respond.js'
export type {
  MemoryNonceStoreOptions,
  NonceStore,
  SignInHandlerOptions,
  SignInHeaders,
} from '../engine/sign-in-handler/respond.js'
export { requestRefusal } from '../model/request-check.js'
export type { RequestHead, RequestRefusal, RequestRules } from '../model/request-check.js'
export { createSignInMessage } from '../operations/keys/sign-in-message.js'
export type { SignInFields } from '../operations/keys/sign-in-message.js'
export type { SignedMessage } from '../operations/keys/messages.js'
export type { VerifyMessage } from '../operations/keys/verification.js'
export type { SignInRefusal, SignInResult, VerifySignInOptions } from '../operations/keys/verify-sign-in.js'

// Transactions of strangers, for servers
export { verifyTransaction } from '../operations/transactions/verify-transaction.js'
export type {
  RefusedTransaction,
  TransactionRefusal,
  TransactionVerification,
  VerifiedTransaction,
  VerifyTransactionOptions,
} from '../operations/transactions/verify-transaction.js'
export type { SpentOutput } from '../model/sighash.js'
export { isValidAddress } from '../model/address.js'
export { ChainCryptoError } from '../errors/crypto-error.js'

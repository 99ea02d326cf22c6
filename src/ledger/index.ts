/** Entry point `vue-chain/ledger`: payments signed by the Kaspa app of a Ledger device. Without Vue. */

export { createLedgerSigner } from '../sdk/ledger/create-ledger-signer.js'
export type { LedgerSigner, LedgerSignerOptions } from '../sdk/ledger/create-ledger-signer.js'
export type { DeviceLimits } from '../sdk/ledger/limits.js'
export type { LedgerTransport } from '../sdk/ledger/transport.js'
export type { SignatureRequest, SignedCall, SignerContext, SignerLimits, TransactionSigner } from '../sdk/signer.js'
export { isSignerLimit } from '../errors/payment-errors.js'
export type { SignerLimitError } from '../errors/payment-errors.js'
export { ChainError } from '../errors/chain-error.js'
export { ChainWalletError } from '../errors/wallet-error.js'

/** Entry point `vue-chain/ledger`: payments signed by the Kaspa app of a Ledger device. Without Vue. */

export { createLedgerSigner } from '../sdk/ledger/create-ledger-signer.js'
export type { LedgerSigner, LedgerSignerOptions } from '../sdk/ledger/create-ledger-signer.js'
export type { DeviceLimits, LedgerTransport } from '../sdk/ledger/device-transaction.js'
export type { SignatureRequest, SignedCall, SignerContext, SignerLimits, TransactionSigner } from '../sdk/port.js'
export { isSignerLimit } from '../errors/payment-errors.js'
export type { SignerLimitError } from '../errors/payment-errors.js'
export { ChainError } from '../errors/chain-error.js'
export { ChainWalletError } from '../errors/wallet-error.js'

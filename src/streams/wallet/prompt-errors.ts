import { ChainWalletError, isPaying, unknownOutcome } from '../../errors/wallet-error.js'
import type { Prompt } from './phases.js'
import type { WalletOperation } from './wallet-session.js'

/** Errors of operations that end without a prompt, or before its result. */

export const busy = (operation: WalletOperation, open: WalletOperation | undefined): ChainWalletError =>
  new ChainWalletError(operation, new Error(`A wallet prompt is still open: ${open ?? 'another operation'}`), {
    code: 'busy',
    hint: "Close the wallet's window first, or call disconnect() to abort that operation.",
  })

export const notInstalled = (wallet: string): ChainWalletError =>
  new ChainWalletError('connect', new Error(`The wallet ${wallet} is not installed on this page`), {
    code: 'not-installed',
    hint: 'Install the wallet, allow it on this page, and reload. A server has no wallets: connect in the browser.',
  })

export const notConnected = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('No wallet is connected'), {
    code: 'not-connected',
    hint: 'Await connect(), or wait for the status "connected".',
  })

export const noAccount = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('The wallet no longer provides an account'), {
    code: 'not-connected',
    hint: 'Choose an account in the wallet, and connect again.',
  })

export const locked = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('The wallet is locked'), {
    code: 'locked',
    hint: 'Unlock the wallet, or call connect(): the wallet then requests the password.',
  })

export const contradictory = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error("The wallet's address is not of the network that it reports"), {
    code: 'wrong-network',
    hint: 'Open the wallet, so that it updates its address, and choose the network there.',
  })

/** The prompt may still be open, and its result is not received. For a payment the outcome is therefore unknown. */
export function abortedPrompt({ operation }: Prompt): ChainWalletError {
  const cause = new Error('Aborted while a wallet prompt was open')
  return isPaying(operation)
    ? unknownOutcome(operation, cause)
    : new ChainWalletError(operation, cause, {
        code: 'aborted',
        hint: "Close the wallet's window if it is still open.",
      })
}

/** The wallet stopped responding during a prompt. A payment may have been sent before that. */
export function notResponding({ operation }: Prompt): ChainWalletError {
  const cause = new Error('The wallet stopped responding: it may have been updated or removed')
  return isPaying(operation)
    ? unknownOutcome(operation, cause)
    : new ChainWalletError(operation, cause, {
        code: 'not-sent',
        hint: 'Reload the page and try again: nothing was sent.',
      })
}

/** The wallet provided something that is not an account. */
export const invalidAccount = (address: unknown): ChainWalletError =>
  new ChainWalletError('connect', new TypeError('The wallet provides an address with a wrong checksum or prefix'), {
    code: 'unexpected-response',
    hint: `Do not pay to this address: ${JSON.stringify(String(address).slice(0, 100))}.`,
  })

export const accountChanged = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error("The wallet's account changed during the prompt"), {
    code: 'aborted',
    hint: 'Call the operation again: the signature belongs to the previous account.',
  })

/** The user has switched the wallet since its account was read. */
export const switched = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('The wallet has another account or network than the one that is shown'), {
    code: 'aborted',
    hint: 'Call the operation again once the account of the wallet is shown: nothing was sent.',
  })

export const unsupportedNetwork = (operation: WalletOperation, network: string, allowed: readonly string[]) =>
  new ChainWalletError(operation, new Error(`The wallet cannot be switched to ${network}`), {
    code: 'unsupported',
    argument: 'network',
    hint: `Use one of ${allowed.join(', ')}.`,
  })

export const cannotSendMany = (): ChainWalletError =>
  new ChainWalletError('sendMany', new Error('The wallet pays one recipient at a time'), {
    code: 'unsupported',
    hint: 'Read `canSendMany` first, and pay each recipient by sendKaspa().',
  })

export const cannotSignPskb = (): ChainWalletError =>
  new ChainWalletError('signPskb', new Error('The wallet signs no bundles of transactions'), {
    code: 'unsupported',
    hint: 'Read `canSignPskb` first. KasWare and Kastle sign one transaction as JSON, by signPskt().',
  })

export const cannotSignCalls = (): ChainWalletError =>
  new ChainWalletError('signPskt', new Error('Browser wallets sign no transaction of version 1'), {
    code: 'unsupported',
    argument: 'txJson',
    hint: 'Sign calls of contracts by `privateKeys`, or by a `signer`.',
  })

export const notSwitched = (network: string): ChainWalletError =>
  new ChainWalletError('switchNetwork', new Error(`The wallet provides no account of ${network}`), {
    code: 'wrong-network',
    hint: 'Choose the network in the wallet.',
  })

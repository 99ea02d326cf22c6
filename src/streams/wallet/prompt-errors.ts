import { ChainWalletError } from '../../errors/wallet-error.js'
import type { Prompt } from './phases.js'
import type { WalletOperation } from './state.js'

/** Why an operation ends without the wallet's having been asked, or without its answer. Hints say what to do. */

export const busy = (operation: WalletOperation, open: WalletOperation | undefined): ChainWalletError =>
  new ChainWalletError(operation, new Error(`The wallet is still being asked: ${open ?? 'something else'}`), {
    code: 'busy',
    hint: "Answer the wallet's window first, or call disconnect() to give that up.",
  })

export const notInstalled = (wallet: string): ChainWalletError =>
  new ChainWalletError('connect', new Error(`There is no ${wallet} on this page`), {
    code: 'not-installed',
    hint: 'Install the wallet, allow it on this page, and reload. On a server there are none: connect in the browser.',
  })

export const notConnected = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('No wallet is connected'), {
    code: 'not-connected',
    hint: 'Await connect(), or wait for the status "connected".',
  })

export const shownNothing = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('The wallet shows no account any more'), {
    code: 'not-connected',
    hint: 'Choose an account in the wallet, and connect again.',
  })

export const locked = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('The wallet is locked'), {
    code: 'locked',
    hint: 'Unlock the wallet, or call connect(): it then asks for the password.',
  })

/** A window that was left open: what a user does there afterwards, nobody learns. With a payment that is no small matter. */
export const givenUp = ({ operation }: Prompt): ChainWalletError =>
  new ChainWalletError(operation, new Error('Given up by disconnect() while the wallet was being asked'), {
    code: operation === 'sendKaspa' ? 'unknown-outcome' : 'cancelled',
    hint:
      operation === 'sendKaspa'
        ? "Look for the transaction before paying again: the wallet's window may still be open."
        : "Close the wallet's window if it is still open.",
  })

export const otherAccount = (operation: WalletOperation): ChainWalletError =>
  new ChainWalletError(operation, new Error('The wallet shows another account than when it was asked'), {
    code: 'cancelled',
    hint: 'Ask again: what was signed belongs to the account before.',
  })

export const unsupportedNetwork = (operation: WalletOperation, network: string, allowed: readonly string[]) =>
  new ChainWalletError(operation, new Error(`The wallet cannot be switched to ${network}`), {
    code: 'unsupported',
    argument: 'network',
    hint: `Use one of ${allowed.join(', ')}.`,
  })

export const notSwitched = (network: string): ChainWalletError =>
  new ChainWalletError('switchNetwork', new Error(`The wallet shows no account of ${network}`), {
    code: 'wrong-network',
    hint: 'Look at the wallet: choose the network there.',
  })

import type { ChainWalletError } from '../../../../errors/wallet-error.js'

/** All texts of the component, for translation. */
export interface ConnectWalletTexts {
  // labels of the button; `disconnected`: the wallet ended the connection
  readonly connect: string
  readonly connecting: string
  readonly locked: string
  readonly disconnected: string
  readonly wrongNetwork: string
  // texts of the dialog
  readonly chooseTitle: string
  readonly accountTitle: string
  readonly close: string
  /** Above the list if no wallet is installed. */
  readonly noWallet: string
  readonly installed: string
  readonly notInstalled: string
  readonly getIt: (name: string) => string
  /** While the wallet's prompt is open. */
  readonly continueIn: (name: string) => string
  readonly cancel: string
  /** Label of the wallet's name. */
  readonly wallet: string
  readonly address: string
  readonly copy: string
  readonly copied: string
  /** Copying failed: clipboard access was denied. */
  readonly notCopied: string
  readonly balance: string
  /** After the balance, if a part is unconfirmed. */
  readonly unconfirmed: (amount: string) => string
  readonly noBalance: string
  readonly network: string
  readonly disconnect: string
  /** In `isOnNetwork` for a wallet that does not name its network. */
  readonly otherNetwork: string
  readonly isOnNetwork: (name: string, network: string, expected: string) => string
  readonly switchTo: (network: string) => string
  readonly isLocked: (name: string) => string
  readonly unlock: string
  /** The wallet's address is of another network than it reports. */
  readonly isContradictory: (name: string) => string
  /** A payment without a known outcome; `to` has its recipients. */
  readonly isInterrupted: (name: string, amount: string, to: string) => string
  readonly dismiss: string
  readonly isDisconnected: (name: string) => string
  readonly connectAgain: string
  readonly useAnother: string
  readonly connectedTo: (name: string) => string
  /** Error messages by error code; `failed` for every other code. */
  readonly problems: Readonly<Record<string, string>> & { readonly failed: string }
}

/** Labels of the button. */
export type TriggerTexts = Pick<
  ConnectWalletTexts,
  'connect' | 'connecting' | 'locked' | 'disconnected' | 'wrongNetwork'
>

/** Texts of the dialog. */
export type DialogTexts = Omit<ConnectWalletTexts, 'connect' | 'connecting' | 'locked' | 'wrongNetwork'>

export const ENGLISH: DialogTexts = {
  chooseTitle: 'Connect a wallet',
  accountTitle: 'Your wallet',
  close: 'Close',
  noWallet: 'No wallet was found in this browser. Install one, then load this page again.',
  installed: 'Installed',
  notInstalled: 'Not installed',
  getIt: (name) => `Get ${name}`,
  continueIn: (name) => `Confirm in ${name}`,
  cancel: 'Cancel',
  wallet: 'Wallet',
  address: 'Address',
  copy: 'Copy address',
  copied: 'Address copied',
  notCopied: 'Not copied: the browser does not allow it',
  balance: 'Balance',
  unconfirmed: (amount) => `${amount} unconfirmed`,
  noBalance: 'Not available',
  network: 'Network',
  disconnect: 'Disconnect',
  otherNetwork: 'another network',
  isOnNetwork: (name, network, expected) => `${name} is on ${network}. This page works on ${expected}.`,
  switchTo: (network) => `Switch to ${network}`,
  isLocked: (name) => `${name} is locked.`,
  unlock: 'Unlock',
  isContradictory: (name) => `The address of ${name} is of another network. Open ${name}, so that it updates.`,
  isInterrupted: (name, amount, to) =>
    `A payment of ${amount} to ${to} was begun in ${name}; its outcome is not known. Close its window in ${name}, and look at the transactions of your address before you pay again.`,
  dismiss: 'Dismiss',
  isDisconnected: (name) => `This site is no longer connected to ${name}.`,
  connectAgain: 'Connect again',
  useAnother: 'Use another wallet',
  connectedTo: (name) => `Connected to ${name}`,
  disconnected: 'Wallet disconnected',
  problems: {
    rejected: 'You declined the request in the wallet.',
    'not-installed': 'This wallet is not installed in this browser.',
    'not-connected': 'This site has no account of the wallet. Create or choose one there, then try again.',
    locked: 'The wallet is locked. Unlock it and try again.',
    busy: 'The wallet is waiting for your response to an earlier request.',
    timeout: 'The wallet did not respond. Reload the page and try again.',
    'not-sent': 'The wallet stopped responding. Reload the page and try again.',
    'unexpected-response': 'The wallet returned an invalid account. Update the wallet.',
    unsupported: 'The wallet does not support this.',
    'wrong-network': 'The wallet is on another network. Open it and choose the network there.',
    failed: 'The wallet could not complete the request.',
  },
}

/** Display name of a network: `testnet-10` becomes `Testnet 10`. */
export const toNetworkName = (network: string): string =>
  network.charAt(0).toUpperCase() + network.slice(1).replaceAll('-', ' ')

/** Codes without a message: the user aborted the operation. */
const HIDDEN_CODES = ['aborted']

/**
 * The message for an error of `connect` or `switchNetwork`; null for other operations, which the app handles, and
 * without an error.
 */
export function toProblemText(error: ChainWalletError | null, { problems }: DialogTexts): string | null {
  if (error === null || HIDDEN_CODES.includes(error.code)) return null
  if (error.operation !== 'connect' && error.operation !== 'switchNetwork') return null
  return problems[error.code] ?? problems.failed
}

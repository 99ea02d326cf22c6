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

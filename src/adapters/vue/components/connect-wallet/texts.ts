/** What the button says. */
export interface TriggerTexts {
  readonly connect: string
  readonly connecting: string
  readonly locked: string
  readonly gone: string
  readonly wrongNetwork: string
}

/** What the dialog says. */
export interface DialogTexts {
  readonly chooseTitle: string
  readonly accountTitle: string
  readonly close: string
  /** Above the list where no wallet is there. */
  readonly noWallet: string
  readonly installed: string
  readonly notInstalled: string
  readonly getIt: (name: string) => string
  /** While the wallet's own window is open. */
  readonly answerIn: (name: string) => string
  readonly cancel: string
  /** Before the connected wallet's name. */
  readonly wallet: string
  readonly address: string
  readonly copy: string
  readonly copied: string
  /** Where the browser does not let the page copy. */
  readonly notCopied: string
  readonly balance: string
  /** Behind the balance where some of it is not confirmed yet. */
  readonly unconfirmed: (amount: string) => string
  readonly noBalance: string
  readonly network: string
  readonly disconnect: string
  readonly isOnNetwork: (name: string, network: string, expected: string) => string
  readonly switchTo: (network: string) => string
  readonly isLocked: (name: string) => string
  readonly unlock: string
  readonly isGone: (name: string) => string
  readonly connectAgain: string
  readonly useAnother: string
  readonly connectedTo: (name: string) => string
  readonly disconnected: string
  /** What went wrong, by the error's code; `failed` stands for every code that is not listed. */
  readonly problems: Readonly<Record<string, string>> & { readonly failed: string }
}

/** Every word of the component, to be put into another language or another voice. */
export interface ConnectWalletTexts extends TriggerTexts, DialogTexts {}

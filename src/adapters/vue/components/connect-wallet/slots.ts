import type { ChainError } from '../../../../errors/chain-error.js'
import type { InterruptedPayment } from '../../../../streams/wallet/interrupted.js'
import type { ReportedBalance } from '../../../../wallets/port.js'
import type { WalletOption } from './wallet-option.js'

/** Props of each slot. A slot replaces one part. */
export interface ConnectWalletSlots {
  /** The button that opens the dialog. */
  readonly trigger: { readonly label: string; readonly state: TriggerState; readonly open: () => void }
  /** The dialog's heading. */
  readonly title: { readonly text: string }
  /** One wallet of the list. `connect` does nothing if it is not installed. */
  readonly wallet: { readonly option: WalletOption; readonly connect: () => void }
  /** Replaces list or account while a prompt of the wallet is open. `cancel` aborts it; a payment may still be made. */
  readonly connecting: { readonly name: string; readonly cancel: () => void }
  /** `copy` is null if the page has no clipboard access. */
  readonly address: { readonly address: string; readonly copy: (() => unknown) | null }
  /**
   * `balance` is the tracked one where the page is connected to the wallet's network, else what the wallet reports;
   * null if unknown.
   */
  readonly balance: { readonly balance: ReportedBalance | null; readonly network: string | null }
  readonly network: { readonly network: string | null; readonly name: string }
  readonly 'wrong-network': {
    readonly network: string | null
    readonly expected: string
    readonly state: 'idle' | 'pending'
    readonly switchNetwork: () => void
    /** Aborts a pending switch. */
    readonly cancel: () => void
  }
  /** A payment of this tab whose outcome is not known; rendered for each. */
  readonly interrupted: { readonly payment: InterruptedPayment; readonly dismiss: () => void }
  readonly locked: { readonly name: string; readonly unlock: () => void }
  /** The wallet's address is not of its network; the part disappears once the wallet was opened. */
  readonly contradictory: { readonly name: string; readonly forget: () => void }
  readonly disconnected: { readonly name: string; readonly connect: () => void; readonly forget: () => void }
  readonly disconnect: { readonly disconnect: () => void }
  /** The error message. */
  readonly problem: { readonly text: string; readonly error: ChainError }
  readonly close: { readonly close: () => void }
  /** At the end of the dialog; empty by default. */
  readonly footer: Record<string, never>
}

/** The state that the button shows. */
export type TriggerState =
  | 'disconnected'
  | 'connecting'
  | 'connected'
  | 'wrong-network'
  | 'locked'
  | 'disconnected-by-wallet'

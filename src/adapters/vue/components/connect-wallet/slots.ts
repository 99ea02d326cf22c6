import type { WalletBalance } from '../../../../wallets/port.js'
import type { WalletOption } from './wallet-option.js'

/** What each slot is given. A slot replaces one part; the rest stays as it is. */
export interface ConnectWalletSlots {
  /** The button that opens the dialog. */
  readonly trigger: { readonly label: string; readonly state: TriggerState; readonly open: () => void }
  /** The dialog's heading. */
  readonly title: { readonly text: string }
  /** One wallet of the list. `connect` does nothing where it is not installed. */
  readonly wallet: { readonly option: WalletOption; readonly connect: () => void }
  /** In place of the list while the wallet's own window is open. */
  readonly connecting: { readonly name: string; readonly cancel: () => void }
  /** `copy` is null where the browser has no clipboard for this page. */
  readonly address: { readonly address: string; readonly copy: (() => unknown) | null }
  /** `balance` is null where the wallet does not tell it. */
  readonly balance: { readonly balance: WalletBalance | null; readonly network: string | null }
  readonly network: { readonly network: string | null; readonly name: string }
  readonly 'wrong-network': {
    readonly network: string | null
    readonly expected: string
    readonly state: 'resting' | 'asking'
    readonly switchNetwork: () => void
  }
  readonly locked: { readonly name: string; readonly unlock: () => void }
  readonly gone: { readonly name: string; readonly connect: () => void; readonly forget: () => void }
  readonly disconnect: { readonly disconnect: () => void }
  /** What went wrong, in words. */
  readonly problem: { readonly text: string; readonly error: Error }
  readonly close: { readonly close: () => void }
  /** Below everything; empty by default. */
  readonly footer: Record<string, never>
}

/** What the button speaks of. */
export type TriggerState = 'disconnected' | 'connecting' | 'connected' | 'wrong-network' | 'locked' | 'gone'

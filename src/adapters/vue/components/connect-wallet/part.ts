import type { Slot, VNodeChild } from 'vue'
import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import type { ReportedBalance } from '../../../../wallets/port.js'
import type { ChainNetwork } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { WalletActions, WalletOption } from './dialog-model.js'
import type { DialogTexts } from './texts.js'
import type { ChainError } from '../../../../errors/chain-error.js'
import type { InterruptedPayment } from '../../../../streams/wallet/interrupted.js'

/** The app's slots by name. */
export type PartSlots = { readonly [Name in keyof ConnectWalletSlots]?: Slot<ConnectWalletSlots[Name]> }

/** Input of the dialog's parts. */
export interface PartContext {
  readonly wallet: UseWalletReturn
  readonly options: readonly WalletOption[]
  /** Null if unknown. */
  readonly balance: ReportedBalance | null
  /** The expected network; null accepts any. */
  readonly expected: ChainNetwork | null
  /** Whether the wallet is on another network. */
  readonly isOnWrongNetwork: () => boolean
  /** The error already shown in an earlier opening. */
  readonly dismissedError: ChainWalletError | null
  readonly texts: DialogTexts
  readonly actions: WalletActions
  readonly slots: PartSlots
}

/** One part of the dialog. */
export type Part = (context: PartContext) => VNodeChild

/** Renders the app's slot if given, otherwise the default. */
export function renderSlot<Name extends keyof ConnectWalletSlots>(
  { slots }: Pick<PartContext, 'slots'>,
  name: Name,
  props: ConnectWalletSlots[Name],
  fallback: () => VNodeChild,
): VNodeChild {
  const slot: Slot<ConnectWalletSlots[Name]> | undefined = slots[name]
  return slot === undefined ? fallback() : slot(props)
}

/** Name of the current wallet. */
export const nameOf = ({ wallet }: PartContext): string => wallet.wallet.value?.name ?? ''

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

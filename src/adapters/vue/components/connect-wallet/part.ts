import type { Slot, VNodeChild } from 'vue'
import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import type { ReportedBalance } from '../../../../wallets/port.js'
import type { ChainNetwork } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { WalletActions } from './actions.js'
import type { ConnectWalletSlots } from './slots.js'
import type { DialogTexts } from './texts.js'
import type { WalletOption } from './wallet-option.js'

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

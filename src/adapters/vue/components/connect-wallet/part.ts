import type { Slot, VNodeChild } from 'vue'
import type { ChainWalletError } from '../../../../errors/wallet-error.js'
import type { ChainNetwork } from '../../../../model/network.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { WalletActions } from './actions.js'
import type { ConnectWalletSlots } from './slots.js'
import type { DialogTexts } from './texts.js'
import type { WalletOption } from './wallet-option.js'

/** The user's slots, by the part that each replaces. */
export type PartSlots = { readonly [Name in keyof ConnectWalletSlots]?: Slot<ConnectWalletSlots[Name]> }

/** What the dialog's parts are drawn from. */
export interface PartContext {
  readonly wallet: UseWalletReturn
  readonly options: readonly WalletOption[]
  /** The network that the page works on; null where any will do. */
  readonly expected: ChainNetwork | null
  /** Whether the wallet is known to be on another one. */
  readonly isElsewhere: () => boolean
  /** What went wrong and is known already; null for nothing. */
  readonly told: ChainWalletError | null
  readonly texts: DialogTexts
  readonly actions: WalletActions
  readonly slots: PartSlots
}

/** One part of the dialog. */
export type Part = (context: PartContext) => VNodeChild

/** The user's slot for a part, or our own drawing of it. */
export function fill<Name extends keyof ConnectWalletSlots>(
  { slots }: Pick<PartContext, 'slots'>,
  name: Name,
  props: ConnectWalletSlots[Name],
  draw: () => VNodeChild,
): VNodeChild {
  const slot: Slot<ConnectWalletSlots[Name]> | undefined = slots[name]
  return slot === undefined ? draw() : slot(props)
}

/** The wallet in question, by its name. */
export const nameOf = ({ wallet }: PartContext): string => wallet.wallet.value?.name ?? ''

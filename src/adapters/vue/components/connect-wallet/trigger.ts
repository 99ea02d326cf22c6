import { h, type VNodeChild } from 'vue'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import { fill, type PartSlots } from './part.js'
import type { TriggerState } from './slots.js'
import type { TriggerTexts } from './texts.js'
import { toTriggerState } from './view.js'
import { shortenAddress } from './wording.js'

export interface TriggerContext {
  readonly wallet: UseWalletReturn
  /** The network that the page works on; null where any will do. */
  readonly expected: string | null
  readonly texts: TriggerTexts
  readonly slots: PartSlots
  readonly open: () => void
}

/** The button: what to do, or how the wallet stands. */
export function trigger(context: TriggerContext): VNodeChild {
  const { wallet, expected, open } = context
  const state = toTriggerState(wallet.status.value, wallet.network.value, expected)
  const label = labelOf(state, context)
  return fill(context, 'trigger', { label, state, open }, () =>
    h('button', { type: 'button', class: `vc-trigger vc-trigger-${state}`, 'aria-haspopup': 'dialog', onClick: open }, [
      h('span', { class: 'vc-dot', 'aria-hidden': 'true' }),
      label,
    ]),
  )
}

function labelOf(state: TriggerState, { wallet, texts }: TriggerContext): string {
  switch (state) {
    case 'connected':
      return shortenAddress(wallet.address.value ?? '')
    case 'disconnected':
      return texts.connect
    case 'wrong-network':
      return texts.wrongNetwork
    case 'connecting':
    case 'locked':
    case 'gone':
      return texts[state]
  }
}

import { h, type VNodeChild } from 'vue'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { PartSlots } from './part.js'
import { shortenAddress } from './shorten-address.js'
import type { TriggerState } from './slots.js'
import type { TriggerTexts } from './texts.js'

export interface TriggerContext {
  readonly wallet: UseWalletReturn
  readonly state: TriggerState
  readonly texts: TriggerTexts
  readonly slots: PartSlots
  readonly open: () => void
}

/** The button, labelled with the next action or the wallet's status. */
export function trigger(context: TriggerContext): VNodeChild {
  const { state, slots, open } = context
  const label = labelOf(context)
  if (slots.trigger !== undefined) return slots.trigger({ label, state, open })
  const props = { type: 'button', class: `vc-trigger vc-trigger-${state}`, 'aria-haspopup': 'dialog', onClick: open }
  return h('button', props, [h('span', { class: 'vc-dot', 'aria-hidden': 'true' }), label])
}

function labelOf({ state, wallet, texts }: TriggerContext): string {
  if (state === 'connected') return shortenAddress(wallet.address.value ?? '')
  if (state === 'disconnected') return texts.connect
  if (state === 'disconnected-by-wallet') return texts.disconnected
  return state === 'wrong-network' ? texts.wrongNetwork : texts[state]
}

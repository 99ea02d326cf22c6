import { h, type VNodeChild } from 'vue'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { PartSlots } from './part.js'
import type { TriggerState } from './slots.js'
import type { TriggerTexts } from './texts.js'

export interface TriggerContext {
  readonly wallet: UseWalletReturn
  readonly state: TriggerState
  readonly texts: TriggerTexts
  readonly slots: PartSlots
  readonly open: () => void
}

/** The button: what to do, or how the wallet stands. */
export function trigger(context: TriggerContext): VNodeChild {
  const { state, slots, open } = context
  const label = labelOf(context)
  if (slots.trigger !== undefined) return slots.trigger({ label, state, open })
  const props = { type: 'button', class: `vc-trigger vc-trigger-${state}`, 'aria-haspopup': 'dialog', onClick: open }
  return h('button', props, [h('span', { class: 'vc-dot', 'aria-hidden': 'true' }), label])
}

function labelOf({ state, wallet, texts }: TriggerContext): string {
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

/** The ends of an address, enough to tell two apart; its prefix stays, since it names the network. */
function shortenAddress(address: string): string {
  const [prefix, body] = address.split(':', 2)
  return body === undefined || body.length <= 12 ? address : `${prefix}:${body.slice(0, 5)}…${body.slice(-5)}`
}

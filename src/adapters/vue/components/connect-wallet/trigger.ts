import { h, type VNodeChild } from 'vue'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import type { PartSlots, TriggerState } from './part.js'
import type { TriggerTexts } from './texts.js'

interface TriggerContext {
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

export const TRIGGER_TEXTS: TriggerTexts = {
  connect: 'Connect wallet',
  connecting: 'Connecting …',
  locked: 'Wallet locked',
  disconnected: 'Wallet disconnected',
  wrongNetwork: 'Wrong network',
}

/** The first and last characters of an address; keeps the prefix, which names the network. */
export function shortenAddress(address: string): string {
  const kept = address.indexOf(':') + 1 + 5
  return address.length < kept + 3 + 5 ? address : `${address.slice(0, kept)}…${address.slice(-5)}`
}

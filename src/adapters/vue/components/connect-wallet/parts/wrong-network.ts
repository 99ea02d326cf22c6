import { h } from 'vue'
import type { ChainNetwork } from '../../../../../model/network.js'
import { renderSlot, nameOf, type Part, type PartContext } from '../part.js'
import { waiting } from './waiting.js'
import { toNetworkName } from '../format.js'

/** Warning that the wallet is on another network, with a button to switch it. */
export const wrongNetwork: Part = (context) => {
  const { wallet, expected, actions, texts } = context
  const network = wallet.network.value
  const name = network === null ? texts.otherNetwork : toNetworkName(network)
  if (expected === null || !context.isOnWrongNetwork()) return null
  const state = wallet.pending.value === 'switchNetwork' ? 'pending' : 'idle'
  const switchNetwork = (): void => actions.switchNetwork(expected)
  return renderSlot(context, 'wrong-network', { network, expected, state, switchNetwork, cancel: actions.abort }, () =>
    h('div', { class: 'vc-warning' }, [
      h('p', texts.isOnNetwork(nameOf(context), name, toNetworkName(expected))),
      state === 'pending' ? waiting(context) : button(context, expected, switchNetwork),
    ]),
  )
}

const button = ({ texts }: PartContext, expected: ChainNetwork, onClick: () => void) =>
  h('button', { type: 'button', class: 'vc-button vc-primary', onClick }, texts.switchTo(toNetworkName(expected)))

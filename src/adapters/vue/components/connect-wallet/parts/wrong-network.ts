import { h } from 'vue'
import type { ChainNetwork } from '../../../../../model/network.js'
import { fill, nameOf, type Part, type PartContext } from '../part.js'
import { toNetworkName } from '../wording.js'

/** Where the wallet is on another network than the page: that it is, and the switch. */
export const wrongNetwork: Part = (context) => {
  const { wallet, expected, actions } = context
  const network = wallet.network.value
  if (expected === null || !context.isElsewhere()) return null
  const state = wallet.pending.value === 'switchNetwork' ? 'asking' : 'resting'
  const switchNetwork = (): void => actions.switchNetwork(expected)
  return fill(context, 'wrong-network', { network, expected, state, switchNetwork }, () =>
    h('div', { class: 'vc-warning' }, [
      h('p', context.texts.isOnNetwork(nameOf(context), toNetworkName(network ?? ''), toNetworkName(expected))),
      state === 'asking' ? h('p', context.texts.answerIn(nameOf(context))) : button(context, expected, switchNetwork),
    ]),
  )
}

const button = ({ texts }: PartContext, expected: ChainNetwork, onClick: () => void) =>
  h('button', { type: 'button', class: 'vc-button vc-primary', onClick }, texts.switchTo(toNetworkName(expected)))

import { h, type VNodeChild } from 'vue'
import { renderSlot, nameOf, type Part, type PartContext } from '../part.js'
import { toNetworkName } from '../format.js'
import { address } from './address.js'
import { balance } from './balance.js'
import { wrongNetwork } from './wrong-network.js'

/** The connected account: wallet, address, balance, network, and the disconnect button. */
export const account: Part = (context) => {
  const { wallet, texts, actions } = context
  const network = wallet.network.value
  const name = network === null ? '–' : toNetworkName(network)
  return [
    wrongNetwork(context),
    h('dl', { class: 'vc-facts' }, [
      row(texts.wallet, h('span', { class: 'vc-name', dir: 'auto' }, nameOf(context))),
      row(texts.address, address(context, wallet.address.value ?? '')),
      row(texts.balance, balance(context)),
      row(
        texts.network,
        renderSlot(context, 'network', { network, name }, () => name),
      ),
    ]),
    renderSlot(context, 'disconnect', { disconnect: actions.disconnect }, () => disconnectButton(context)),
  ]
}

const row = (label: string, value: VNodeChild) =>
  h('div', [h('dt', label), h('dd', Array.isArray(value) ? value : [value])])

const disconnectButton = ({ texts, actions }: PartContext) =>
  h('button', { type: 'button', class: 'vc-button', onClick: actions.disconnect }, texts.disconnect)

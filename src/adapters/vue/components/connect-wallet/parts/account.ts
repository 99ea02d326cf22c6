import { h, type VNodeChild } from 'vue'
import { fill, nameOf, type Part, type PartContext } from '../part.js'
import { toNetworkName } from '../wording.js'
import { address } from './address.js'
import { balance } from './balance.js'
import { wrongNetwork } from './wrong-network.js'

/** The connected account: who, how much, where; and the way out. */
export const account: Part = (context) => {
  const { wallet, texts, actions } = context
  const network = wallet.network.value
  const name = network === null ? '–' : toNetworkName(network)
  return [
    wrongNetwork(context),
    h('dl', { class: 'vc-facts' }, [
      fact(texts.wallet, h('span', { class: 'vc-name', dir: 'auto' }, nameOf(context))),
      fact(texts.address, address(context, wallet.address.value ?? '')),
      fact(texts.balance, balance(context)),
      fact(
        texts.network,
        fill(context, 'network', { network, name }, () => name),
      ),
    ]),
    fill(context, 'disconnect', { disconnect: actions.disconnect }, () => leave(context)),
  ]
}

const fact = (label: string, value: VNodeChild) =>
  h('div', [h('dt', label), h('dd', Array.isArray(value) ? value : [value])])

const leave = ({ texts, actions }: PartContext) =>
  h('button', { type: 'button', class: 'vc-button', onClick: actions.disconnect }, texts.disconnect)

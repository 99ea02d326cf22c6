import { h, type VNode } from 'vue'
import type { WalletBalance } from '../../../../../wallets/port.js'
import { fill, type PartContext } from '../part.js'
import { toAmount } from '../wording.js'

/** The account's money as far as the wallet tells it. */
export const balance = (context: PartContext) => {
  const { wallet, texts } = context
  const [known, network] = [wallet.balance.value, wallet.network.value]
  return fill(context, 'balance', { balance: known, network }, () =>
    known === null ? h('span', { class: 'vc-quiet' }, texts.noBalance) : figures(context, known),
  )
}

const figures = ({ wallet, texts }: PartContext, { confirmed, unconfirmed }: WalletBalance): VNode[] => {
  const network = wallet.network.value
  const settled = h(
    'span',
    { class: 'vc-amount', dir: 'ltr', title: `${confirmed} sompi` },
    toAmount(confirmed, network),
  )
  if (unconfirmed === 0n) return [settled]
  return [settled, h('span', { class: 'vc-quiet' }, texts.unconfirmed(toAmount(unconfirmed, network)))]
}

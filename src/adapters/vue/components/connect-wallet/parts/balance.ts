import { h, type VNode } from 'vue'
import type { ReportedBalance } from '../../../../../wallets/port.js'
import { renderSlot, type PartContext } from '../part.js'
import { toAmountText } from '../../../../../model/amount-text.js'

/** The balance, tracked or reported by the wallet. */
export const balance = (context: PartContext) => {
  const { wallet, texts, balance: known } = context
  return renderSlot(context, 'balance', { balance: known, network: wallet.network.value }, () =>
    known === null ? h('span', { class: 'vc-muted' }, texts.noBalance) : amounts(context, known),
  )
}

/** The confirmed part with the unconfirmed one, or the total where the parts are unknown. */
const amounts = ({ wallet, texts }: PartContext, known: ReportedBalance): VNode[] => {
  const network = wallet.network.value
  const [sompi, unconfirmed] = 'confirmed' in known ? [known.confirmed, known.unconfirmed] : [known.total, 0n]
  const amount = h('span', { class: 'vc-amount', dir: 'ltr', title: `${sompi} sompi` }, toAmountText(sompi, network))
  if (unconfirmed === 0n) return [amount]
  return [amount, h('span', { class: 'vc-muted' }, texts.unconfirmed(toAmountText(unconfirmed, network)))]
}

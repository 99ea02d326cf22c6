import { h } from 'vue'
import { NETWORKS } from '../../../../../model/network.js'
import type { InterruptedPayment } from '../../../../../streams/wallet/interrupted.js'
import { renderSlot, type Part, type PartContext } from '../part.js'
import { toAmountText } from '../../../../../model/amount.js'

/** The payments of this tab whose outcome is not known, each with a button that dismisses it. */
export const interrupted: Part = (context) =>
  context.wallet.interrupted.value.map((payment) => {
    const dismiss = (): void => context.wallet.dismissInterrupted(payment.id)
    return renderSlot(context, 'interrupted', { payment, dismiss }, () =>
      h('div', { class: 'vc-warning', key: payment.id }, [
        h('p', { role: 'status' }, textOf(context, payment)),
        h('button', { type: 'button', class: 'vc-button', onClick: dismiss }, context.texts.dismiss),
      ]),
    )
  })

function textOf({ options, texts }: PartContext, { wallet, outputs, from }: InterruptedPayment): string {
  const name = options.find(({ id }) => id === wallet)?.name ?? wallet
  const total = outputs.reduce((sum, { amount }) => sum + amount, 0n)
  const network = Object.values(NETWORKS).find(({ addressPrefix }) => from.startsWith(`${addressPrefix}:`))
  return texts.isInterrupted(
    name,
    toAmountText(total, network?.id ?? null),
    outputs.map(({ address }) => address).join(', '),
  )
}

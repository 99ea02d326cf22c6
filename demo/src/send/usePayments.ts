import { isInterrupted, useTransaction, type CreateTransactionSettings } from 'vue-chain'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import type { Payment } from './payment'

/** All of the page's payments, newest first, and the way to make another. Any number may be under way at once. */
export function usePayments(): {
  payments: Readonly<Ref<readonly Payment[]>>
  pay: (settings: CreateTransactionSettings & { privateKeys: string[] }, to: string) => Promise<void>
  /** Goes on with a payment of several transactions that stopped midway. */
  resume: (payment: Payment) => Promise<void>
} {
  const { send } = useTransaction()
  const payments = shallowRef<readonly Payment[]>([])
  let count = 0

  const update = (number: number, change: Partial<Payment>): void => {
    payments.value = payments.value.map((payment) => (payment.number === number ? { ...payment, ...change } : payment))
  }

  /** Shows a payment as under way until `work` tells how it ended. */
  async function follow(number: number, work: () => Promise<Partial<Payment>>): Promise<void> {
    update(number, { stage: { type: 'signing' } })
    try {
      update(number, await work())
    } catch (error) {
      update(number, { stage: { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) } })
    }
  }

  async function pay(settings: CreateTransactionSettings & { privateKeys: string[] }, to: string): Promise<void> {
    const number = ++count
    const amount = settings.outputs?.[0]?.amount
    payments.value = [{ number, to, amount, stage: { type: 'signing' } }, ...payments.value]
    await follow(number, async () => {
      const { transactionIds, summary } = await send(settings)
      return { amount: summary.finalAmount, stage: { type: 'sent', transactionIds } }
    })
  }

  async function resume({ number, stage }: Payment): Promise<void> {
    if (stage.type !== 'failed' || !isInterrupted(stage.error)) return
    const { error } = stage
    await follow(number, async () => ({ stage: { type: 'sent', transactionIds: await error.resume() } }))
  }
  return { payments: shallowReadonly(payments), pay, resume }
}

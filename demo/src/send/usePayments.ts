import { isPartiallySubmitted, useTransaction, type CreateTransactionSettings } from 'vue-chain'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import type { Payment } from './payment'

/** The page's payments, newest first. Payments may run concurrently. */
export function usePayments(): {
  payments: Readonly<Ref<readonly Payment[]>>
  pay: (settings: CreateTransactionSettings & { privateKeys: string[] }, to: string) => Promise<void>
  /** Resumes a partially submitted payment. */
  resume: (payment: Payment) => Promise<void>
} {
  const { send } = useTransaction()
  const payments = shallowRef<readonly Payment[]>([])
  let count = 0

  const update = (number: number, change: Partial<Payment>): void => {
    payments.value = payments.value.map((payment) => (payment.number === number ? { ...payment, ...change } : payment))
  }

  /** Shows a payment as signing until `work` settles. */
  async function follow(number: number, work: () => Promise<Partial<Payment>>): Promise<void> {
    update(number, { state: { type: 'signing' } })
    try {
      update(number, await work())
    } catch (error) {
      update(number, { state: { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) } })
    }
  }

  async function pay(settings: CreateTransactionSettings & { privateKeys: string[] }, to: string): Promise<void> {
    const number = ++count
    const amount = settings.outputs?.[0]?.amount
    payments.value = [{ number, to, amount, state: { type: 'signing' } }, ...payments.value]
    await follow(number, async () => {
      const { transactionIds, summary } = await send(settings)
      return { amount: summary.finalAmount, state: { type: 'sent', transactionIds } }
    })
  }

  async function resume({ number, state }: Payment): Promise<void> {
    if (state.type !== 'failed' || !isPartiallySubmitted(state.error)) return
    const { error } = state
    await follow(number, async () => ({ state: { type: 'sent', transactionIds: await error.resume() } }))
  }
  return { payments: shallowReadonly(payments), pay, resume }
}

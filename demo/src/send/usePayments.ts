import { useTransaction, type CreateTransactionSettings } from 'vue-chain'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import type { Payment, PaymentStage } from './payment'

/** How many payments the page remembers. */
const KEPT = 6

/** The page's payments, newest first, and the way to make another. Any number may be under way at once. */
export function usePayments(): {
  payments: Readonly<Ref<readonly Payment[]>>
  pay: (settings: CreateTransactionSettings & { privateKeys: string[] }, to: string) => Promise<void>
} {
  const { send } = useTransaction()
  const payments = shallowRef<readonly Payment[]>([])
  let count = 0

  const reach = (number: number, stage: PaymentStage): void => {
    payments.value = payments.value.map((payment) => (payment.number === number ? { ...payment, stage } : payment))
  }

  async function pay(settings: CreateTransactionSettings & { privateKeys: string[] }, to: string): Promise<void> {
    const number = ++count
    const amount = settings.outputs?.[0]?.amount
    payments.value = [{ number, to, amount, stage: { type: 'signing' } as const }, ...payments.value].slice(0, KEPT)
    try {
      reach(number, { type: 'sent', ...(await send(settings)) })
    } catch (error) {
      reach(number, { type: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  return { payments: shallowReadonly(payments), pay }
}

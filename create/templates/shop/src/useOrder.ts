import { onScopeDispose, ref } from 'vue'
import { createOrder, readOrder, type Order } from './shop'

/** The order of this page: its id stays in the address bar, so that a reload finds it again. */
export function useOrder() {
  const order = ref<Order | null>(null)
  const problem = ref('')

  async function attempt(read: () => Promise<Order>): Promise<void> {
    try {
      order.value = await read()
      problem.value = ''
      history.replaceState(null, '', `#${order.value.id}`)
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error)
    }
  }

  const refresh = (id: string): Promise<void> => attempt(() => readOrder(id))
  const buy = (): Promise<void> => attempt(createOrder)

  if (location.hash !== '') void refresh(location.hash.slice(1))
  const timer = setInterval(() => {
    if (order.value !== null && order.value.status !== 'confirmed') void refresh(order.value.id)
  }, 1_000)
  onScopeDispose(() => clearInterval(timer))

  return { order, problem, buy }
}

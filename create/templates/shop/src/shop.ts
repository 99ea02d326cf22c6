import type { ChainNetwork } from 'vue-chain'
import type { StoredPaymentRequest } from 'vue-chain/requests'

/** What the server sells, and where the page connects. */
export interface Shop {
  readonly name: string
  /** Sompi. */
  readonly price: string
  readonly chain: { readonly network: ChainNetwork; readonly url?: string }
}

/** An order. Its id is its secret. */
export interface Order {
  readonly id: string
  /** As the server knows it: it delivers on `confirmed`. */
  readonly status: string
  readonly request: StoredPaymentRequest
}

export const readShop = (): Promise<Shop> => call('/api/shop')

export const createOrder = (): Promise<Order> => call('/api/orders', { method: 'POST' })

export const readOrder = (id: string): Promise<Order> => call(`/api/orders/${id}`)

export const fileOf = ({ id }: Order): string => `/api/orders/${id}/file`

/** With `npm run dev` a customer of the local network pays. */
export const payAsCustomer = ({ request: { address, amount } }: Order): Promise<Response> =>
  fetch(`/dev/pay?${new URLSearchParams({ address, amount })}`, { method: 'POST' })

async function call<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  if (response.status === 429) throw new Error('Too many orders wait for their payment: try again in a few minutes')
  if (!response.ok) throw new Error(`The shop does not respond (${response.status})`)
  return (await response.json()) as T
}

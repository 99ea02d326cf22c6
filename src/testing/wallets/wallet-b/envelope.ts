/** A request from the page script to the extension. */
export interface RelayRequest {
  readonly id: string
  readonly method: string
  readonly args: unknown
}

/** A response to a request, or an event under its own id. */
export interface Reply {
  readonly id: string
  readonly response: unknown
  readonly error?: string | { readonly code: number; readonly message: string } | undefined
}

const TO_WALLET = { source: 'browser', target: 'background' } as const
const TO_PAGE = { source: 'background', target: 'browser' } as const

export const toRequest = ({ id, method, args }: RelayRequest): object => ({
  ...TO_WALLET,
  action: 1,
  id,
  payload: { method, args },
})

export const toReply = (reply: Reply): object => ({ ...TO_PAGE, ...reply })

/** Reads a request; ignores the page's other messages. */
export function readRequest(event: Event): RelayRequest | undefined {
  const data = dataOf(event)
  if (data?.target !== TO_WALLET.target || typeof data.payload !== 'object') return undefined
  const { method, args } = data.payload as RelayRequest
  return { id: String(data.id), method, args }
}

export function readReply(event: Event): Reply | undefined {
  const data = dataOf(event)
  if (data?.target !== TO_PAGE.target) return undefined
  const { id, response, error } = data
  return { id: String(id), response, error: error as Reply['error'] }
}

function dataOf(event: Event): Record<string, unknown> | undefined {
  const data: unknown = 'data' in event ? event.data : undefined
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined
}

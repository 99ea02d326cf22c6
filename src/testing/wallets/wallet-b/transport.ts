import type { PageWindow } from '../page.js'
import { throwValue } from '../extension-calls.js'

/** Calls the extension. Rejects with `Error("Timeout")` without a response in time. */
export type CallExtension = (method: string, args?: unknown) => Promise<unknown>

/** Kastle's page script: sends a request as a message and finds the response among the page's messages. */
export function createTransport(page: PageWindow, timeout: number): CallExtension {
  let requestCount = 0
  return async (method, args) => {
    const id = `fake-wallet-b-${requestCount++}`
    const reply = replyTo(id, page, timeout)
    page.postMessage(toRequest({ id, method, args }), '*')
    const { response, error } = await reply
    if (error === undefined) return response
    return throwValue(typeof error === 'string' ? new Error(error) : error)
  }
}

function replyTo(id: string, page: PageWindow, timeout: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const cleanUp = (): void => {
      clearTimeout(timer)
      page.removeEventListener('message', onMessage)
    }
    const onMessage = (event: Event): void => {
      const reply = readReply(event)
      // As in Kastle, an undefined response does not count
      if (reply?.id !== id || (reply.response === undefined && reply.error === undefined)) return
      cleanUp()
      resolve(reply)
    }
    const timer = setTimeout(() => {
      cleanUp()
      reject(new Error('Timeout'))
    }, timeout)
    page.addEventListener('message', onMessage)
  })
}

/** A request from the page script to the extension. */
export interface RelayRequest {
  readonly id: string
  readonly method: string
  readonly args: unknown
}

/** A response to a request, or an event under its own id. */
interface Reply {
  readonly id: string
  readonly response: unknown
  readonly error?: string | { readonly code: number; readonly message: string } | undefined
}

const TO_WALLET = { source: 'browser', target: 'background' } as const
const TO_PAGE = { source: 'background', target: 'browser' } as const

const toRequest = ({ id, method, args }: RelayRequest): object => ({
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

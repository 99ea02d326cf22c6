import type { PageWindow } from '../page.js'
import { throwValue } from '../extension-calls.js'
import { readReply, toRequest, type Reply } from './envelope.js'

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

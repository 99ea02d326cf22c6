import type { PageWindow } from '../page.js'
import { refuse } from '../refuse.js'
import { readReply, toQuestion, type Reply } from './envelope.js'

/** Asks the extension. Rejects with `Error("Timeout")` where nothing has come back in time. */
export type AskExtension = (method: string, args?: unknown) => Promise<unknown>

/** The page's half of Kastle: every question is a message, and every answer is found among the page's messages. */
export function createTransport(page: PageWindow, timeout: number): AskExtension {
  let questions = 0
  return async (method, args) => {
    const id = `fake-wallet-b-${questions++}`
    const reply = replyTo(id, page, timeout)
    page.postMessage(toQuestion({ id, method, args }), '*')
    const { response, error } = await reply
    if (error === undefined) return response
    return refuse(typeof error === 'string' ? new Error(error) : error)
  }
}

function replyTo(id: string, page: PageWindow, timeout: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      page.removeEventListener('message', onMessage)
    }
    const onMessage = (event: Event): void => {
      const reply = readReply(event)
      // A reply that is undefined is taken for none, as in the original
      if (reply?.id !== id || (reply.response === undefined && reply.error === undefined)) return
      end()
      resolve(reply)
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error('Timeout'))
    }, timeout)
    page.addEventListener('message', onMessage)
  })
}

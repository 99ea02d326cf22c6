import type { StoredResponse, X402Payment } from '../settlement/payment.js'
import type { RequestScopes } from './request-scope.js'

/** What the middleware of each framework needs. */
export interface ContextPort {
  readonly scopes: RequestScopes
  /** Stores the response of a handler, before it is sent; undefined where the handler failed. Never rejects. */
  readonly respond: (payment: X402Payment, response: StoredResponse | null | undefined) => Promise<void>
}

export interface ContextSettings {
  readonly origin: string | undefined
  readonly maxBody: number
}

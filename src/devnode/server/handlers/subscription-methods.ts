import { ok, type Handlers } from './handler.js'

/** `subscribe` responds with the connection's number; unsubscribing without a subscription is not an error. */
export const subscriptionMethods = {
  subscribe({ scope }, { caller }) {
    caller.subscribe(scope)
    return ok({ id: caller.id })
  },
  unsubscribe({ scope }, { caller }) {
    caller.unsubscribe(scope)
    return ok({})
  },
} as const satisfies Partial<Handlers>

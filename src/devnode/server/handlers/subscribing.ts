import { answer, type Handlers } from './handler.js'

/** Every subscription of a connection is answered with the connection's number; cancelling one that is none is no error. */
export const subscribing = {
  subscribe({ scope }, { caller }) {
    caller.subscribe(scope)
    return answer({ id: caller.id })
  },
  unsubscribe({ scope }, { caller }) {
    caller.unsubscribe(scope)
    return answer({})
  },
} as const satisfies Partial<Handlers>

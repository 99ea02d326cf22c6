import { EMPTY, NEVER, Observable, catchError } from 'rxjs'
import { memberOf } from './member-of.js'
import { hasMethods, type Provider } from './provider.js'

/**
 * An event of a wallet's object. The very handler that was added is removed again; nothing where the object tells no
 * events, as the older ones do. Never errors: a wallet whose events cannot be heard is still looked at.
 */
export function walletEvent$(provider: Provider, name: string): Observable<unknown> {
  if (!hasMethods(provider, 'on', 'removeListener')) return EMPTY
  const events$ = new Observable((subscriber) => {
    const handler = (payload: unknown): void => subscriber.next(payload)
    call(provider, 'on', name, handler)
    return () => letGo(provider, name, handler)
  })
  return events$.pipe(catchError(() => NEVER))
}

type Handler = (payload: unknown) => void

function call(provider: Provider, method: string, name: string, handler: Handler): void {
  const run = memberOf(provider, method)
  if (typeof run === 'function') Reflect.apply(run, provider, [name, handler])
}

function letGo(provider: Provider, name: string, handler: Handler): void {
  try {
    call(provider, 'removeListener', name, handler)
  } catch {
    // The extension behind the object may be gone. Nobody hears the handler any more, which is all that was wanted.
  }
}

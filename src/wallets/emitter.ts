import { EMPTY, NEVER, Observable, catchError } from 'rxjs'
import { memberOf } from './foreign-object.js'
import { hasMethods, type Provider } from './provider.js'

/**
 * An event of a wallet's provider; empty if the provider has no events, as in older versions. Removes the same handler
 * that it added. Never errors: without events the wallet is still refreshed.
 */
export function walletEvent$(provider: Provider, name: string): Observable<unknown> {
  if (!hasMethods(provider, 'on', 'removeListener')) return EMPTY
  const events$ = new Observable((subscriber) => {
    const handler = (payload: unknown): void => subscriber.next(payload)
    call(provider, 'on', name, handler)
    return () => removeHandler(provider, name, handler)
  })
  return events$.pipe(catchError(() => NEVER))
}

type Handler = (payload: unknown) => void

function call(provider: Provider, method: string, name: string, handler: Handler): void {
  const run = memberOf(provider, method)
  if (typeof run === 'function') Reflect.apply(run, provider, [name, handler])
}

function removeHandler(provider: Provider, name: string, handler: Handler): void {
  try {
    call(provider, 'removeListener', name, handler)
  } catch {
    // The provider of an updated or removed extension throws. The subscriber has already unsubscribed.
  }
}

import { EMPTY, Observable } from 'rxjs'
import { hasMethods, type Provider } from './provider.js'

/**
 * An event of a wallet's object. The very handler that was added is removed again; nothing where the object tells no
 * events, as the older ones do.
 */
export function walletEvent$(provider: Provider, name: string): Observable<unknown> {
  if (!hasMethods(provider, 'on', 'removeListener')) return EMPTY
  return new Observable((subscriber) => {
    const handler = (payload: unknown): void => subscriber.next(payload)
    call(provider, 'on', name, handler)
    return () => call(provider, 'removeListener', name, handler)
  })
}

function call(provider: Provider, method: string, name: string, handler: (payload: unknown) => void): void {
  const run = provider[method]
  if (typeof run === 'function') Reflect.apply(run, provider, [name, handler])
}

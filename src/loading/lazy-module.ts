import { defer, of, type Observable } from 'rxjs'
import { loadCode } from './load-code.js'
import { onceLoaded } from './once-loaded.js'

/** A module that is loaded on demand, once. Rejects and errors with `ChainError` (`code-not-loaded`). */
export interface LazyModule<M> {
  load(): Promise<M>
  isLoaded(): boolean
  /**
   * The module: once loaded, within the call of `subscribe`. A failed load errors, and the next subscription loads
   * again.
   */
  readonly module$: Observable<M>
}

export function lazyModule<M>(load: () => Promise<M>): LazyModule<M> {
  let loaded: M | undefined
  const once = onceLoaded(async () => (loaded = await loadCode(load)))
  return {
    load: once,
    isLoaded: () => loaded !== undefined,
    module$: defer(() => (loaded === undefined ? once() : of(loaded))),
  }
}

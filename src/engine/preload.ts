import { filter, take } from 'rxjs'
import type { CoreParts } from './core-parts.js'

/**
 * Loads code as soon as keys are ready, so that the first call that needs it does not wait for the network. Loads
 * nothing where keys are never used. A failed load has no effect: the call loads again.
 */
export function preloadWithKeys({ wasm, lifetime }: CoreParts, load: () => Promise<unknown>): void {
  const ready$ = wasm.status$.pipe(
    filter(({ status }) => status === 'ready'),
    take(1),
  )
  const loadEarly = (): void => {
    load().catch(() => undefined) // the call that needs it loads again, and rejects
  }
  lifetime.add(ready$.subscribe(loadEarly))
}

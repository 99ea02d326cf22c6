import { auditTime, filter, merge, take, timer } from 'rxjs'
import type { CoreParts } from './core-parts.js'

/** Ms after which the WASM module is loaded even without a connection. */
const MAX_DELAY = 2_000

/**
 * Loads the WASM module without delaying live data: after the first frame painted with a connection, or after 2 s,
 * whichever is first. A failed load is a state of `wasm.status$`.
 */
export function warmUp({ connection, wasm, lifetime, options, platform }: CoreParts): void {
  const { scheduler, frames } = platform
  const shown$ = connection.state$.pipe(
    filter(({ status }) => status === 'connected'),
    take(1),
    auditTime(0, frames), // before the first frame
    auditTime(0, frames), // before the second: the first is painted
  )
  const load = (): void =>
    void wasm.init().catch((error: unknown) => options.logger.warn('The WASM module could not be loaded', { error }))
  lifetime.add(merge(shown$, timer(MAX_DELAY, scheduler)).pipe(take(1)).subscribe(load))
}

import { auditTime, filter, merge, take, timer } from 'rxjs'
import type { ChainCore } from './core.js'

/** How long, in ms, the WASM module waits for a connection before it is loaded without one. */
const PATIENCE = 2_000

/**
 * Loads the WASM module beside a connection, so that live data never waits for megabytes: once one stands and a frame has
 * shown what it brought, or after 2 s, whichever is first. A load that fails is a state of `wasm.status$`.
 */
export function warmUp({ connection, wasm, lifetime, options, platform }: ChainCore): void {
  const { scheduler, frames } = platform
  const shown$ = connection.state$.pipe(
    filter(({ status }) => status === 'connected'),
    take(1),
    auditTime(0, frames), // before the frame that paints it
    auditTime(0, frames), // and before the next: now it is on the screen
  )
  const load = (): void =>
    void wasm.init().catch((error: unknown) => options.logger.warn('The WASM module could not be loaded', { error }))
  lifetime.add(merge(shown$, timer(PATIENCE, scheduler)).pipe(take(1)).subscribe(load))
}

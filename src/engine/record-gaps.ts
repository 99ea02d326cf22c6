import type { Observable } from 'rxjs'
import type { Gap } from '../streams/acceptance/acceptance.js'
import type { CoreParts } from './core-parts.js'

/** Records the gaps of a stream, where there is a recorder. `gaps$` completes with the engine. */
export function recordGaps({ probe }: CoreParts, gaps$: Observable<Gap>): void {
  if (probe === undefined) return
  gaps$.subscribe(({ stream, timestamp: at }) => probe.record({ at, type: 'gap', stream }))
}

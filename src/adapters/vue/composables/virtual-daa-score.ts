import { map, merge, skip } from 'rxjs'
import type { Ref } from 'vue'
import { type CoreParts, feature } from '../../../engine/core-parts.js'
import { scores } from '../../../engine/features/node.js'
import { latestInFrames } from '../../../streams/bursts.js'
import { useStream } from '../bridges/stream-to-ref.js'

/** The virtual DAA score, updated at most once per frame while it is read; 0n until known for the network. */
export function useVirtualDaaScore(core: CoreParts): Readonly<Ref<bigint>> {
  const { virtualDaaScore$ } = feature(core, scores)
  const reset$ = core.network$.pipe(
    skip(1),
    map(() => 0n),
  )
  return useStream(merge(virtualDaaScore$, reset$).pipe(latestInFrames(core.platform.frames)), 0n)
}

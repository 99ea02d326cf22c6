import type { Ref } from 'vue'
import type { ChainCore } from '../../../engine/core.js'
import { feature } from '../../../engine/feature.js'
import { scores } from '../../../engine/features/scores.js'
import { latestInFrames } from '../../../streams/in-frames.js'
import { useStream } from '../bridges/stream-to-ref.js'

/** The virtual DAA score, live while it is read, at most once a frame; 0n until the node has said. */
export const useVirtualDaaScore = (core: ChainCore): Readonly<Ref<bigint>> =>
  useStream(feature(core, scores).virtualDaaScore$.pipe(latestInFrames(core.platform.frames)), 0n)

import type { ChainCore } from './chain-core.js'
import { partsOf, type CoreParts } from './core-parts.js'

/**
 * The feature that `create` returns for `core`: created at the first call, the same object afterwards.
 * Unused features are not bundled.
 */
export function feature<Feature>(core: ChainCore, create: (core: CoreParts) => Feature): Feature {
  const parts = partsOf(core)
  if (!parts.features.has(create)) parts.features.set(create, create(parts))
  return parts.features.get(create) as Feature // the value under `create` is its result
}

/** The same for apps: features of theirs do not see a core's parts. */
export const publicFeature = <Feature>(core: ChainCore, create: (core: ChainCore) => Feature): Feature =>
  feature(core, create)

/** A feature that was created before; undefined otherwise, so that displaying it creates nothing. */
export const existingFeature = <Feature>(core: ChainCore, create: (core: CoreParts) => Feature): Feature | undefined =>
  partsOf(core).features.get(create) as Feature | undefined // as above

import type { ChainCore } from './core.js'

/**
 * The feature that `create` returns for `core`: created at the first call, the same object afterwards.
 * Unused features are not bundled.
 */
export function feature<Feature>(core: ChainCore, create: (core: ChainCore) => Feature): Feature {
  if (!core.features.has(create)) core.features.set(create, create(core))
  return core.features.get(create) as Feature // the value under `create` is its result
}

/** A feature that was created before; undefined otherwise, so that displaying it creates nothing. */
export const existingFeature = <Feature>(core: ChainCore, create: (core: ChainCore) => Feature): Feature | undefined =>
  core.features.get(create) as Feature | undefined // as above

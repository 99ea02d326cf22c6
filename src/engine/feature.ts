import type { ChainCore } from './core.js'

/**
 * The feature that `create` makes of `core`: made when it is first asked for, and the same one ever after.
 * What nobody asks for is neither made nor, in a bundled app, carried.
 */
export function feature<Feature>(core: ChainCore, create: (core: ChainCore) => Feature): Feature {
  if (!core.features.has(create)) core.features.set(create, create(core))
  return core.features.get(create) as Feature // what stands under `create` is what `create` made
}

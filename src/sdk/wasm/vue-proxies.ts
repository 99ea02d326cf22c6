import { wasmClassesOf, type SdkExports } from './classes.js'

/**
 * Quirk: an object freed through a Vue proxy is freed again by the garbage collector, which corrupts the memory.
 * `__v_skip` excludes SDK objects from reactivity at any depth. Relevant for users who share the module.
 */
export function excludeFromReactivity(exports: SdkExports): void {
  for (const [, { prototype }] of wasmClassesOf(exports)) {
    if (!('__v_skip' in prototype)) Object.defineProperty(prototype, '__v_skip', { value: true })
  }
}

import { wasmClassesOf, type SdkExports } from './classes.js'

/**
 * Quirk: an object freed through a Vue proxy is freed a second time by the garbage collector, which corrupts the memory.
 * Marked so, no object of the SDK is ever made reactive, at any depth. We hand none out; users of the same module may.
 */
export function keepFromProxies(exports: SdkExports): void {
  for (const [, { prototype }] of wasmClassesOf(exports)) {
    if (!('__v_skip' in prototype)) Object.defineProperty(prototype, '__v_skip', { value: true })
  }
}

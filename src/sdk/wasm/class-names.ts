import { wasmClassesOf, type SdkExports } from './classes.js'

/**
 * Quirk: the SDK checks `constructor.name` of objects, and minifiers rename classes: in a production build a key passed
 * as an object is then "invalid". The converted glue pins its names; a user's own SDK build needs it too.
 */
export function pinClassNames(exports: SdkExports): void {
  for (const [name, wasmClass] of wasmClassesOf(exports)) {
    if (wasmClass.name !== name) Object.defineProperty(wasmClass, 'name', { value: name, configurable: true })
  }
}

import { wasmClassesOf, type SdkExports } from './classes.js'

/**
 * Quirk: the SDK asks objects for `constructor.name`, and every minifier renames classes: in a production build a key
 * passed as an object is then "invalid". The converted glue pins its names; a build that a user brings needs it too.
 */
export function pinClassNames(exports: SdkExports): void {
  for (const [name, wasmClass] of wasmClassesOf(exports)) {
    if (wasmClass.name !== name) Object.defineProperty(wasmClass, 'name', { value: name, configurable: true })
  }
}

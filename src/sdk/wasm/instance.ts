import type { SdkExports } from './classes.js'

/**
 * The exports of an instance that is ready for use, of whatever a loader resolves to:
 * - our converted glue, whose `createSdk` makes a new instance as often as asked;
 * - a module of wasm-bindgen's web target, which has one instance, made ready by its default export;
 * - a CommonJS build seen from an ES module (a quirk of such imports): all in `default`, and ready since it was loaded.
 */
export async function instantiate(module: unknown): Promise<SdkExports> {
  const given = toRecord(module)
  const exports = isFunction(given.createSdk) ? toRecord(given.createSdk()) : given
  const init = exports.default
  if (typeof init === 'object' && init !== null) return { ...init }
  if (isFunction(init)) await init()
  return { ...exports }
}

const isFunction = (value: unknown): value is () => unknown => typeof value === 'function'

/** A value's own members; none where it is no object, so that what is missing can be named in one place. */
const toRecord = (value: unknown): SdkExports => (typeof value === 'object' && value !== null ? { ...value } : {})

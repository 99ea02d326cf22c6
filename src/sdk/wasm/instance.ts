import type { SdkExports } from './classes.js'

/**
 * The exports of an initialized instance of the module that a loader resolves to:
 * - our converted glue, whose `createSdk` creates a new instance per call;
 * - a module of wasm-bindgen's web target with one instance, initialized by its default export;
 * - a CommonJS build imported from an ES module: all exports in `default`, initialized on load.
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

/** A value's own members, none for other than objects: `toKaspaSdk` reports what is missing. */
const toRecord = (value: unknown): SdkExports => (typeof value === 'object' && value !== null ? { ...value } : {})

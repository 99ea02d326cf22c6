/** The exports of a loaded SDK module, unchecked. */
export type SdkExports = Readonly<Record<string, unknown>>

/** A class whose instances live in WASM memory. */
export type WasmClass = (abstract new () => unknown) & { readonly prototype: object }

/** The WASM classes among an SDK's exports, by export name. */
export const wasmClassesOf = (exports: SdkExports): [name: string, WasmClass][] =>
  Object.entries(exports).filter((entry): entry is [string, WasmClass] => isWasmClass(entry[1]))

function isWasmClass(value: unknown): value is WasmClass {
  if (typeof value !== 'function') return false
  const prototype: unknown = value.prototype
  return typeof prototype === 'object' && prototype !== null && 'free' in prototype
}

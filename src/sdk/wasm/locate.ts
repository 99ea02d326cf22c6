import { ownUrl } from '#sdk/wasm'
import type { WasmUrl } from '../port.js'

/** Where the WASM file lies, without loading it. `given`: the app provides the file itself. */
export type WasmLocation =
  | { readonly kind: 'http'; readonly url: string }
  /** `size`: bytes; null if there is no such file. */
  | { readonly kind: 'local'; readonly url: string; readonly size: number | null }
  | { readonly kind: 'given' }

/** Locates the file that the SDK would load. */
export async function locateWasm(wasmUrl: WasmUrl | undefined): Promise<WasmLocation> {
  const source = wasmUrl === undefined ? ownUrl() : typeof wasmUrl === 'function' ? await wasmUrl() : wasmUrl
  if (typeof source !== 'string' && !(source instanceof URL)) return { kind: 'given' }
  const text = String(source)
  const isFile = text.startsWith('file:') || (!('document' in globalThis) && !URL.canParse(text))
  if (!isFile || !hasBuiltins()) return { kind: 'http', url: text }
  const files = globalThis.process.getBuiltinModule('node:fs/promises')
  const size = await files.stat(text.startsWith('file:') ? new URL(text) : text).then(
    ({ size: bytes }) => bytes,
    () => null, // there is no such file, or it may not be read
  )
  return { kind: 'local', url: text, size }
}

/** Whether Node's own modules can be loaded without an import, which bundlers for browsers would have to resolve. */
const hasBuiltins = (): boolean =>
  typeof globalThis.process !== 'undefined' && typeof globalThis.process.getBuiltinModule === 'function'

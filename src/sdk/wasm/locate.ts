import { ownUrl } from '#sdk/wasm'
import { builtins } from '../../platform/node-process.js'
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
  const files = isFile ? builtins()?.getBuiltinModule('node:fs/promises') : undefined
  if (files === undefined) return { kind: 'http', url: text }
  const size = await files.stat(text.startsWith('file:') ? new URL(text) : text).then(
    ({ size: bytes }) => bytes,
    () => null, // there is no such file, or it may not be read
  )
  return { kind: 'local', url: text, size }
}

/** Source of the WASM; by default the file next to this one. */
export type SdkSource = string | URL | Request | Response | BufferSource | WebAssembly.Module
/** SHA-256 of our WASM file, hex. */
export const WASM_SHA256: string
/**
 * Compiles our file once for all callers; a failed attempt can be repeated. `locate` returns where it lies, or the
 * file. Rejects with an error of code `wasm-differs` where it is another file.
 */
export function compileOwn(locate?: () => SdkSource | Promise<SdkSource>): Promise<WebAssembly.Module>
/** URL of the WASM file next to this one. */
export function ownUrl(): URL
/** Compiles the file of `source`, and uses it for all later instances. */
export function compileGiven(source: Parameters<typeof compile>[0]): Promise<WebAssembly.Module>
/** Compiles the WASM of a source. */
export function compile(
  source: SdkSource | Promise<SdkSource> | { module_or_path?: SdkSource | Promise<SdkSource> },
): Promise<WebAssembly.Module>

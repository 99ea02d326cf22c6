/** Source of the WASM; by default the file next to this one. */
export type SdkSource = string | URL | Request | Response | BufferSource | WebAssembly.Module
/** Our own WASM file, fetched and compiled once for all callers; a failed attempt can be repeated. */
export function compileOwn(): Promise<WebAssembly.Module>
/** Compiles the WASM of a source. */
export function compile(
  source: SdkSource | Promise<SdkSource> | { module_or_path?: SdkSource | Promise<SdkSource> },
): Promise<WebAssembly.Module>

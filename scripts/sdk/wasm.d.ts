/** What the WASM is read from; by default the file beside this one. */
export type SdkSource = string | URL | Request | Response | BufferSource | WebAssembly.Module
/** Our own WASM file, fetched and compiled once, whoever asks; a failure is forgotten, and the next call tries again. */
export function compileOwn(): Promise<WebAssembly.Module>
/** Compiles what a source holds. */
export function compile(
  source: SdkSource | Promise<SdkSource> | { module_or_path?: SdkSource | Promise<SdkSource> },
): Promise<WebAssembly.Module>

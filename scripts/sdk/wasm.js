/**
 * Locates, fetches and compiles the WASM file. Becomes dist/sdk/wasm.js, separate from the glue, so that a page can
 * fetch and compile the 11 MB while it fetches and parses the glue.
 */
/* global WebAssembly, Response, Request */

/**
 * URL of the WASM file, next to this one. Vite 5 to 7 move this file into their folder of optimised dependencies without
 * the WASM; there the package name resolves it. Both URLs are literals, so that bundlers detect the asset.
 */
function ownUrl() {
  const beside = new URL('./kaspa_bg.wasm', import.meta.url)
  return /\/deps[^/]*\/[^/]+$/.test(beside.pathname) ? new URL('vue-chain/kaspa_bg.wasm', import.meta.url) : beside
}

/** Our own WASM file, fetched and compiled once for all instances; a failed attempt can be repeated. */
let own
export function compileOwn() {
  own ??= compile(ownUrl()).catch((error) => {
    own = undefined
    throw error
  })
  return own
}

/** Compiles the argument of `init`: a URL, request, response, bytes or module, a promise or a record of one. */
export async function compile(source) {
  const given = await source
  if (given instanceof WebAssembly.Module) return given
  if (given instanceof Response) return compileResponse(given)
  if (given instanceof Request) return compileResponse(await fetch(given))
  if (typeof given === 'string' || given instanceof URL) return compileUrl(String(given))
  if (Object.getPrototypeOf(given) === Object.prototype) return compile(given.module_or_path)
  return WebAssembly.compile(given)
}

async function compileUrl(url) {
  const files = url.startsWith('file:') ? globalThis.process?.getBuiltinModule?.('node:fs/promises') : undefined
  return files === undefined
    ? compileResponse(await fetch(url))
    : WebAssembly.compile(await files.readFile(new URL(url)))
}

/** Streaming compilation needs the MIME type; without it the whole file is fetched first. */
async function compileResponse(response) {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok)
    throw new Error(`The Kaspa WASM file at ${response.url} could not be fetched: status ${response.status}`)
  if (type.startsWith('text/html')) throw new Error(`${response.url} is a web page, not the Kaspa WASM file`)
  return type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

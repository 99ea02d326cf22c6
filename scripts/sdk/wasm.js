/**
 * How the WASM file is found, fetched and compiled. It becomes dist/sdk/wasm.js, apart from the glue, so that a page can
 * fetch and compile the 11 MB while it still fetches and parses the glue.
 */
/* global WebAssembly, Response, Request */

/**
 * Where the WASM file lies: beside this one. Vite 5 to 7 move this file into their folder of optimised dependencies and
 * leave the WASM behind; there the package's own name finds it. Both are literal, so that every bundler sees the asset.
 */
function ownUrl() {
  const beside = new URL('./kaspa_bg.wasm', import.meta.url)
  return /\/deps[^/]*\/[^/]+$/.test(beside.pathname) ? new URL('vue-chain/kaspa_bg.wasm', import.meta.url) : beside
}

/** Our own WASM file, fetched and compiled once for all instances; a failure is forgotten, so that one can try again. */
let own
export function compileOwn() {
  own ??= compile(ownUrl()).catch((error) => {
    own = undefined
    throw error
  })
  return own
}

/** Compiles what a caller of `init` gave: a URL, request, response, bytes or module, a promise or a record of one. */
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

/** Streams where the server names the type; a server that does not still works, only later. */
async function compileResponse(response) {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok)
    throw new Error(`The Kaspa WASM file at ${response.url} was answered with status ${response.status}`)
  if (type.startsWith('text/html')) throw new Error(`At ${response.url} lies a page, not the Kaspa WASM file`)
  return type.startsWith('application/wasm')
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}

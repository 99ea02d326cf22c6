/**
 * Locates, fetches and compiles the WASM file. Becomes dist/sdk/wasm.js, separate from the glue, so that a page can
 * fetch and compile the 11 MB while it fetches and parses the glue.
 */
/* global WebAssembly, Response, Request, process */

/** Our own WASM file, fetched and compiled once for all instances; a failed attempt can be repeated. */
let own

/** Compiles our file, unless that was done before. `locate` returns where it lies, or the file itself. */
export function compileOwn(locate = ownUrl) {
  return own ?? keep(locate)
}

/** Compiles the file of `source`, and uses it for all later instances. */
export const compileGiven = (source) => keep(() => source)

function keep(locate) {
  const compiling = (async () => compile(await locate()))()
  own = compiling
  compiling.catch(() => {
    if (own === compiling) own = undefined
  })
  return compiling
}

/**
 * URL of the WASM file, next to this one. Both URLs are literals, so that bundlers detect the asset. A script that is no
 * module, such as an IIFE bundle, has no URL: there the file lies next to the page or the worker script.
 */
function ownUrl() {
  try {
    return optimizedUrl() ?? new URL('./kaspa_bg.wasm', import.meta.url)
  } catch {
    return new URL('kaspa_bg.wasm', globalThis.document?.baseURI ?? globalThis.location?.href)
  }
}

/**
 * In development, Vite 5 to 7 move this file into their folder of optimised dependencies without the WASM; there the
 * package name resolves it. Bundlers that cannot resolve a package in a URL skip it in a `try`; without a bundler, the
 * missing `process` throws.
 */
function optimizedUrl() {
  try {
    if (process.env.NODE_ENV !== 'production' && /\/deps[^/]*\/[^/]+$/.test(new URL(import.meta.url).pathname)) {
      return new URL('vue-chain/kaspa_bg.wasm', import.meta.url)
    }
  } catch {
    // not in Vite's folder
  }
  return undefined
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

/** Under Node also a path; elsewhere URLs are relative to the page or the worker script. */
async function compileUrl(url) {
  const isFile = url.startsWith('file:') || (globalThis.document === undefined && !URL.canParse(url))
  const files = isFile ? globalThis.process?.getBuiltinModule?.('node:fs/promises') : undefined
  return files === undefined
    ? compileResponse(await fetch(url))
    : WebAssembly.compile(await files.readFile(url.startsWith('file:') ? new URL(url) : url))
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

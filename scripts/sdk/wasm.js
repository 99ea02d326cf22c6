/**
 * Locates, fetches and compiles the WASM file. Becomes dist/sdk/wasm.js, separate from the glue, so that a page can
 * fetch and compile the 11 MB while it fetches and parses the glue.
 */
/* global WebAssembly, Response, Request */

/** SHA-256 of our WASM file, that of kaspa-wasm32-sdk 0.15.2. The build fails where the installed file differs. */
export const WASM_SHA256 = '022347bdebeac2809d5acfec8d3a896d1eb466869cfac593b2c6e6d3245fd102'

/** Our own WASM file, fetched and compiled once for all instances; a failed attempt can be repeated. */
let own

/**
 * Compiles our file, unless that was done before. `locate` returns where it lies, or the file itself. Rejects with an
 * error of code `wasm-differs` where it is another file; a compiled module cannot be checked.
 */
export function compileOwn(locate = ownUrl) {
  return own ?? keep(async () => compile(locate(), 'checked')) // fetches before the caller requests the glue
}

/** Compiles the file of `source`, and uses it for all later instances. */
export const compileGiven = (source) => keep(() => compile(source))

function keep(start) {
  const compiling = start()
  own = compiling
  compiling.catch(() => {
    if (own === compiling) own = undefined
  })
  return compiling
}

/**
 * URL of the WASM file, next to this one. Both URLs are literals, so that bundlers detect the asset. A script that is
 * no module, such as an IIFE bundle, has no URL: there the file lies next to the page or the worker script.
 */
export function ownUrl() {
  try {
    const url = new URL('./kaspa_bg.wasm', import.meta.url)
    return optimizedUrl(url) ?? url
  } catch {
    return new URL('kaspa_bg.wasm', globalThis.document?.baseURI ?? globalThis.location?.href)
  }
}

/**
 * In development, Vite 5 to 7 move this file into their folder of optimised dependencies without the WASM; there the
 * package name resolves it. Vite 8 moves it too, but rewrites the relative URL, and not the name. Bundlers that cannot
 * resolve a package in a URL skip it in a `try`, or, as Parcel, take it for a path, which `alias` of package.json maps
 * to the file; without a bundler, the missing `process` throws.
 */
function optimizedUrl({ pathname }) {
  try {
    if (process.env.NODE_ENV !== 'production' && /\/deps[^/]*\/[^/]+$/.test(pathname)) {
      return new URL('vue-chain/kaspa_bg.wasm', import.meta.url)
    }
  } catch {
    // not in Vite's folder
  }
  return undefined
}

/**
 * Compiles the argument of `init`: a URL, request, response, bytes or module, a promise or a record of one. `checked`:
 * only our own file.
 */
export async function compile(source, checked) {
  const given = await source
  if (given instanceof WebAssembly.Module) return given
  if (given instanceof Response) return compileResponse(given, checked)
  if (given instanceof Request) return compileResponse(await fetch(given), checked)
  if (typeof given === 'string' || given instanceof URL) return compileUrl(String(given), checked)
  if (Object.getPrototypeOf(given) === Object.prototype) return compile(given.module_or_path, checked)
  return compileBytes(given, checked, 'the given bytes')
}

/** Under Node also a path; elsewhere URLs are relative to the page or the worker script. */
async function compileUrl(url, checked) {
  const isFile = url.startsWith('file:') || (globalThis.document === undefined && !URL.canParse(url))
  const files = isFile ? globalThis.process?.getBuiltinModule?.('node:fs/promises') : undefined
  return files === undefined
    ? compileResponse(await fetch(url), checked)
    : compileBytes(await files.readFile(url.startsWith('file:') ? new URL(url) : url), checked, url)
}

const compileBytes = (bytes, checked, name) =>
  checked ? checkedModule(WebAssembly.compile(bytes), bytes, name) : WebAssembly.compile(bytes)

/** Streaming compilation needs the MIME type; without it the whole file is fetched first. */
async function compileResponse(response, checked) {
  const type = response.headers.get('content-type') ?? ''
  if (!response.ok)
    throw new Error(`The Kaspa WASM file at ${response.url} could not be fetched: status ${response.status}`)
  if (type.startsWith('text/html')) throw new Error(`${response.url} is a web page, not the Kaspa WASM file`)
  if (!type.startsWith('application/wasm')) return compileBytes(await response.arrayBuffer(), checked, response.url)
  if (!checked) return WebAssembly.compileStreaming(response)
  const bytes = response.clone().arrayBuffer()
  return checkedModule(WebAssembly.compileStreaming(response), bytes, response.url)
}

/** The module, once its bytes have the digest of our file, which is computed while they compile. */
async function checkedModule(compiling, bytes, name) {
  compiling.catch(() => undefined) // the error of a file that differs is reported below
  const found = await sha256(await bytes)
  if (found === WASM_SHA256) return compiling
  const message = `${name} is not our WASM file: its SHA-256 is ${found}, not ${WASM_SHA256}`
  throw Object.assign(new Error(message), { code: 'wasm-differs' })
}

/** In hex. Pages of insecure contexts have no `crypto.subtle`. */
async function sha256(bytes) {
  const subtle = globalThis.crypto?.subtle
  const digest =
    subtle === undefined
      ? (await import('@noble/hashes/sha2.js')).sha256(new Uint8Array(bytes))
      : new Uint8Array(await subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

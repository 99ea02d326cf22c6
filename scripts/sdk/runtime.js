/**
 * What stands around the converted glue in dist/sdk/kaspa.js: how the WASM file is found and compiled, and replacements
 * for what the stock glue takes from Node or from the display. Its text goes into that file; nothing imports it.
 */
/* global WebAssembly, Response, Request, MessageChannel, setImmediate */

/** A Node built-in, or undefined outside Node. No `import('node:…')`: bundlers for browsers stumble over it. */
const builtin = (id) => globalThis.process?.getBuiltinModule?.(id)

/** The glue's `require`: it only ever asks for built-ins of Node (randomness, files of the SDK's own wallet). */
export function nodeRequire(id) {
  const found = builtin(id)
  if (found === undefined) throw new Error(`The Kaspa SDK asked for "${id}", which is not to be had here`)
  return found
}

/**
 * The glue's `new Function`, which a Content-Security-Policy forbids. The SDK makes two functions of text: one that
 * returns the global object, and one that patches `requestAnimationFrame` in, which nobody calls any more.
 */
export function functionFromText(text) {
  if (/^\s*return this;?\s*$/.test(text)) return () => globalThis
  if (text.includes('requestAnimationFrame')) return () => undefined
  return new Function(text)
}

/**
 * The glue's `requestAnimationFrame`, by which building transactions yields: a frame costs 16 ms, and in a hidden tab none
 * ever comes. A macrotask lets the page breathe just as well.
 */
const ticks = new Map()
let lastTick = 0
let channel

export function nextTick(callback) {
  const id = ++lastTick
  ticks.set(id, callback)
  postTick(id)
  return id
}

export function cancelTick(id) {
  ticks.delete(id)
}

function postTick(id) {
  if (typeof setImmediate === 'function') return setImmediate(runTick, id) // a message port would keep Node from exiting
  channel ??= new MessageChannel()
  channel.port1.onmessage = (event) => runTick(event.data)
  channel.port2.postMessage(id)
}

function runTick(id) {
  const callback = ticks.get(id)
  ticks.delete(id)
  callback?.(performance.now())
}

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
async function compile(source) {
  const given = await source
  if (given instanceof WebAssembly.Module) return given
  if (given instanceof Response) return compileResponse(given)
  if (given instanceof Request) return compileResponse(await fetch(given))
  if (typeof given === 'string' || given instanceof URL) return compileUrl(String(given))
  if (Object.getPrototypeOf(given) === Object.prototype) return compile(given.module_or_path)
  return WebAssembly.compile(given)
}

async function compileUrl(url) {
  const files = url.startsWith('file:') ? builtin('node:fs/promises') : undefined
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

/**
 * Replacements for Node's `require`, `new Function` and animation frames in the converted glue. Its text becomes part
 * of dist/sdk/kaspa.js; no module imports it.
 */
/* global MessageChannel, setImmediate */

/**
 * The glue's `require`, used only for built-ins of Node (randomness, files of the SDK's own wallet). Not
 * `import('node:…')`, which bundlers for browsers fail to resolve.
 */
export function nodeRequire(id) {
  const found = globalThis.process?.getBuiltinModule?.(id)
  if (found === undefined) throw new Error(`The Kaspa SDK requires "${id}", which is not available here`)
  return found
}

/**
 * The glue's `new Function`, which a Content-Security-Policy forbids. The SDK makes two functions of text: one that
 * returns the global object, and one that patches `requestAnimationFrame` in, which is never called.
 */
export function functionFromText(text) {
  if (/^\s*return this;?\s*$/.test(text)) return () => globalThis
  if (text.includes('requestAnimationFrame')) return () => undefined
  return new Function(text)
}

/**
 * The glue's `requestAnimationFrame`, used to yield while transactions are built: a frame takes 16 ms, and hidden tabs
 * have none. A macrotask yields as well.
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
  // a message port would keep Node from exiting
  if (typeof setImmediate === 'function') return setImmediate(runTick, id)
  channel ??= new MessageChannel()
  channel.port1.onmessage = (event) => runTick(event.data)
  channel.port2.postMessage(id)
}

function runTick(id) {
  const callback = ticks.get(id)
  ticks.delete(id)
  callback?.(performance.now())
}

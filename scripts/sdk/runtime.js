/**
 * What the converted glue in dist/sdk/kaspa.js uses in place of Node's `require`, of `new Function` and of frames.
 * Its text goes into that file; nothing imports it.
 */
/* global MessageChannel, setImmediate */

/**
 * The glue's `require`: it only ever asks for built-ins of Node (randomness, files of the SDK's own wallet). No
 * `import('node:…')`: bundlers for browsers stumble over it.
 */
export function nodeRequire(id) {
  const found = globalThis.process?.getBuiltinModule?.(id)
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

import { afterAll, vi } from 'vitest'

/** Globals that tests replace: timers, randomness, and what reaches the outside. */
const GLOBALS = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask', 'Date'],
  ...['fetch', 'WebSocket', 'Worker', 'WebAssembly', 'crypto', 'navigator', 'window', 'document', 'localStorage'],
  ...['performance', 'process', 'indexedDB', 'requestAnimationFrame', 'chrome', 'kasware'],
]

/** Methods that tests replace, by their object. */
const METHODS: Readonly<Record<string, readonly [object, readonly string[]]>> = {
  Math: [Math, ['random']],
  Date: [Date, ['now']],
  performance: [performance, ['now']],
  console: [console, ['debug', 'info', 'log', 'warn', 'error']],
}

/** Property descriptors, so that no getter is called. */
const valueOf = (target: object, name: string): unknown => {
  const descriptor = Object.getOwnPropertyDescriptor(target, name)
  return descriptor?.get ?? descriptor?.value
}

function readState(): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...GLOBALS.map((name) => [name, valueOf(globalThis, name)] as const),
    ...Object.entries(METHODS).flatMap(([holder, [target, names]]) =>
      names.map((name) => [`${holder}.${name}`, valueOf(target, name)] as const),
    ),
    ...Object.entries(process.env).map(([name, value]) => [`process.env.${name}`, value] as const),
  ])
}

/** What differs between two states, in words. */
const differences = (before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name))

// The files of a worker share its globals: a file that leaves a fake fails itself, not a later one somewhere else.
const before = readState()
afterAll(() => {
  const left = [...differences(before, readState()), ...(vi.isFakeTimers() ? ['fake timers'] : [])]
  if (left.length > 0) throw new Error(`The file leaves replaced: ${left.join(', ')}. Restore it after each test.`)
})

/** The first message of a worker: its code has loaded. */
export const READY = 'ready'

/** The second message: the signature scripts of each request; null where it failed. */
export type SignedMessage = readonly (readonly string[])[] | null

/** The threads of Node, without an import that a bundler for browsers would have to resolve; undefined elsewhere. */
export const threads = () =>
  typeof process === 'undefined' || typeof process.getBuiltinModule !== 'function'
    ? undefined
    : process.getBuiltinModule('node:worker_threads')

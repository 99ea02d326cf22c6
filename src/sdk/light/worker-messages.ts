/** The first message of a worker: its code has loaded. */
export const READY = 'ready'

/** The second message: the signature scripts of each request; null where it failed. */
export type SignedMessage = readonly (readonly string[])[] | null

/** The threads of Node, without an import that a bundler for browsers would have to resolve; undefined elsewhere. */
export const threads = () => (hasBuiltins() ? globalThis.process.getBuiltinModule('node:worker_threads') : undefined)

/** Whether a file exists, under Node; false elsewhere. Throws for a URL of another kind. */
export const isFile = (url: URL): boolean =>
  hasBuiltins() && globalThis.process.getBuiltinModule('node:fs').existsSync(url)

const hasBuiltins = (): boolean =>
  typeof globalThis.process !== 'undefined' && typeof globalThis.process.getBuiltinModule === 'function'

import { builtins } from '../../platform/node-process.js'

/** The first message of a worker: its code has loaded. */
export const READY = 'ready'

/** The second message: the signature scripts of each request; null where it failed. */
export type SignedMessage = readonly (readonly string[])[] | null

/** The threads of Node; undefined elsewhere. */
export const threads = () => builtins()?.getBuiltinModule('node:worker_threads')

/** Whether a file exists, under Node; false elsewhere. Throws for a URL of another kind. */
export const isFile = (url: URL): boolean => builtins()?.getBuiltinModule('node:fs').existsSync(url) ?? false

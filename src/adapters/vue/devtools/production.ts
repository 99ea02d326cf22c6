import type * as Development from './attach.js'

/**
 * Stands in for `attach.ts` outside development. Built as the default of the package's import `#devtools`; a bundler that sets
 * the condition `development` resolves it to `attach.ts`. Bundlers remove the call.
 */
export const attachDevtools: typeof Development.attachDevtools = () => undefined

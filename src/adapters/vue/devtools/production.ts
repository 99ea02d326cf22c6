import type * as Development from './attach.js'

/**
 * Stands in for `attach.ts` outside development. Built as the default of the package's import `#devtools`; a bundler
 * that sets the condition `development` resolves it to `attach.ts`. As a constant, so that bundlers remove what depends
 * on it.
 */
export const development: false | typeof Development.development = false

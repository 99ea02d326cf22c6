import type * as Development from './development.js'

/**
 * Stands in for `development.ts` outside development. Built as the default of the package's import `#recorder`; a
 * bundler that sets the condition `development` resolves it to `development.ts`. As a constant, so that bundlers remove
 * what depends on it.
 */
export const automaticRecorder: false | typeof Development.automaticRecorder = false

/** Whether the runtime is Node; true in some bundles for browsers that define `process`, too. */
export const isNode = (): boolean =>
  typeof globalThis.process !== 'undefined' && 'versions' in globalThis.process && 'node' in globalThis.process.versions

/**
 * What loads Node's own modules without an import, which bundlers for browsers would have to resolve; undefined
 * elsewhere, also in a page that defines `process`.
 */
export const builtins = (): Pick<typeof globalThis.process, 'getBuiltinModule'> | undefined =>
  typeof globalThis.process !== 'undefined' && typeof globalThis.process.getBuiltinModule === 'function'
    ? globalThis.process
    : undefined

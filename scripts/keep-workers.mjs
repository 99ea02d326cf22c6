/**
 * A Vite plugin for the build of the package: leaves `new Worker(new URL('./sign-worker.js', import.meta.url), …)` as
 * it is, so that the bundler of an app recognises it. Vite would replace it by a file of its own, and mark it as not to
 * be touched.
 */

const EXPRESSION = "new Worker(new URL('./sign-worker.js', import.meta.url), { type: 'module' })"
const PLACEHOLDER = '__VUE_CHAIN_OPEN_SIGN_WORKER__()'

export const keepWorkers = () => ({
  name: 'keep-workers',
  apply: (_, { command }) => command === 'build',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/sdk/light/open-worker.ts')) return undefined
    if (!code.includes(EXPRESSION)) throw new Error(`${id} does not contain: ${EXPRESSION}`)
    return { code: code.replace(EXPRESSION, PLACEHOLDER), map: null }
  },
  renderChunk: (code) =>
    code.includes(PLACEHOLDER) ? { code: code.replace(PLACEHOLDER, EXPRESSION), map: null } : undefined,
})

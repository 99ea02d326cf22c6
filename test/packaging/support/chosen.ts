import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FIXTURES } from './folder.js'

/** The fixtures of `npm test`. The others belong to `npm run test:packaging`. */
const QUICK = ['vite8', 'esbuild', 'node', 'nuxt']

/** Whether `npm run test:packaging` was called: every fixture, also in development. */
export const ALL = process.env.VUE_CHAIN_PACKAGING === 'all'

/** Whether the tests of a fixture run. */
export const isChosen = (app: string): boolean =>
  (ALL || QUICK.includes(app)) && existsSync(join(FIXTURES, app, 'package.json'))

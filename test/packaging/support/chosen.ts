import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { FULL } from '../../full.js'
import { FIXTURES } from './folder.js'

/** The fixtures of `npm test`, and of `test:full`. The others belong to `npm run test:packaging`. */
const QUICK = ['vite8', 'esbuild', 'node', ...(FULL ? ['nuxt'] : [])]

/** `all`, or names of fixtures, as `npm run test:packaging -- NAME…` sets it; undefined in `npm test`. */
const requested = process.env.VUE_CHAIN_PACKAGING

/** Whether `npm run test:packaging` was called: every test of a fixture, also in development. */
export const ALL = requested !== undefined

/** Whether `npm run test:packaging` was called for all, or by this name. */
export const isRequested = (name: string): boolean =>
  requested === 'all' || requested?.split(',').includes(name) === true

/** Whether the tests of a fixture run. */
export const isChosen = (app: string): boolean =>
  (requested === 'all' || (requested?.split(',') ?? QUICK).includes(app)) &&
  existsSync(join(FIXTURES, app, 'package.json'))

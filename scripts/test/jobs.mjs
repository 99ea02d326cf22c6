import { readFileSync } from 'node:fs'
import { CORES } from './machine.mjs'

/**
 * A process more than there are cores: a third of unit and browser tests is waiting for files, timers and sockets. One
 * core: a job at a time.
 */
export const CAPACITY = CORES > 1 ? CORES + 1 : 1

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

/** The packed library, which several jobs read. Packing takes 3 s of processor time. */
export const TARBALL = `test-results/vue-chain-${version}.tgz`

const npm = (...args) => ['npm', ['run', '--silent', ...args]]
const npx = (...args) => ['npx', ['--no-install', ...args]]
const NOT_MODULES = ['./kaspa_bg.wasm', './fake-wallets.js', './style.css', './package.json']

/** A leak is in each engine, reconnect and component, and counted: a few of them show it. */
const FEW_LEAKS = ['--', '--engines', '30', '--reconnects', '60', '--components', '300']

/**
 * `processes`: how many of a job compute at the same time, with those that it starts. Unit tests take two; browser
 * tests, which mostly wait, count as one. They come first, beside each other: alone each leaves a third of two cores.
 * The others, which compute all the time, follow, and end together: what others need first, then the longest.
 * Everything else reads what the build writes; what reads the declarations too waits for them. Browser tests do not run
 * beside what installs packages and builds apps: their pages would wait for its processes. Lint checks the types of
 * `.ts` files; the declarations are written unchecked. `test:full` checks all types again, with the compiler that
 * builds the declarations, applies the rules of ESLint that need the types of RxJS and of `.vue` files, and looks for
 * code that nothing uses.
 */
export const jobsOf = (isFull) => [
  { name: 'build', command: npm('build:code'), processes: 2 },
  { name: 'unit tests', project: 'unit', processes: 2, after: ['build'] },
  { name: 'browser tests', project: 'e2e', after: ['build'], apart: ['packaging tests'] },
  { name: 'declarations', command: npm(isFull ? 'build:types' : 'build:types:unchecked'), after: ['build'] },
  {
    name: 'package',
    command: ['npm', ['pack', '--silent', '--pack-destination', 'test-results']],
    after: ['declarations'],
  },
  { name: 'contract tests', project: 'contract', after: ['package'] },
  { name: 'packaging tests', project: 'packaging', after: ['package'] },
  {
    name: 'chaos',
    command: npm('test:chaos', '--', '--faults', isFull ? '5000' : '60'),
    after: ['build'],
  },
  { name: 'lint', command: npm('lint'), after: ['build'] },
  ...(isFull
    ? [
        { name: 'lint by all rules', command: npm('lint:full'), after: ['build'] },
        { name: 'dead code', command: npx('knip'), after: ['build'] },
      ]
    : []),
  { name: 'size', command: npm('size', ...(isFull ? [] : ['--', '--guards'])), after: ['build'] },
  { name: 'types', command: npm(isFull ? 'typecheck' : 'typecheck:vue'), after: ['declarations'] },
  { name: 'leaks', command: npm('test:leaks', ...(isFull ? [] : FEW_LEAKS)), after: ['build'] },
  {
    name: 'package (types)',
    command: npx('attw', TARBALL, '--profile', 'esm-only', '--exclude-entrypoints', ...NOT_MODULES),
    after: ['package'],
  },
  { name: 'package (publint)', command: npx('publint', TARBALL, '--strict'), after: ['package'] },
]

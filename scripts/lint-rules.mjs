/** The lint rules of this repository, as a plugin for ESLint and oxlint. */
import { dirname, relative, resolve } from 'node:path'
import { forbiddenImport, forbiddenPackage } from './layers.mjs'

const SRC = resolve(import.meta.dirname, '../src')

/** The import rules of layers.mjs as a lint rule. */
const layers = {
  create(context) {
    const file = relative(SRC, context.filename)
    const check = (node) => {
      const name = node.source?.value
      if (typeof name !== 'string') return
      const message = name.startsWith('.')
        ? forbiddenImport(file, relative(SRC, resolve(dirname(context.filename), name)).replace(/\.js$/, '.ts'))
        : forbiddenPackage(file, name)
      if (message !== undefined) context.report({ node, message })
    }
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    }
  },
}

/**
 * The functions that load code: they reject with `ChainError` (`code-not-loaded`, or `package-missing` for optional
 * packages).
 */
const LOADERS = new Set(['loadCode', 'lazyModule', 'loadPackage'])

/** Code is loaded by `src/loading` alone, so that each failure to load is the same error. */
const loadedCode = {
  create: (context) => ({
    ImportExpression(node) {
      const isLoaded = context.sourceCode
        .getAncestors(node)
        .some(({ type, callee }) => type === 'CallExpression' && LOADERS.has(callee.name))
      if (!isLoaded) context.report({ node, message: 'Load code by loadCode or lazyModule of src/loading.' })
    },
  }),
}

/** An aborted signal never emits `abort` again, which copies of the wait forget. */
const abortEvent = {
  create: (context) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node
      const at = { addEventListener: 0, fromEvent: 1 }[callee.property?.name ?? callee.name]
      if (at === undefined || given[at]?.value !== 'abort') return
      context.report({ node, message: 'Wait for a signal by src/loading/abortable.' })
    },
  }),
}

/** The formatter leaves comments as they are. */
const PRINT_WIDTH = 120

/** What a tool reads, and addresses, cannot be wrapped. */
const NOT_WRAPPED = /eslint-|oxlint-|prettier-ignore|@ts-|@vite-ignore|https?:/

const commentWidth = {
  create: (context) => ({
    Program() {
      const { lines } = context.sourceCode
      for (const { loc } of context.sourceCode.getAllComments())
        for (let line = loc.start.line; line <= loc.end.line; line++)
          if (lines[line - 1].length > PRINT_WIDTH && !NOT_WRAPPED.test(lines[line - 1]))
            context.report({ loc: { line, column: PRINT_WIDTH }, message: 'Wrap comments at the print width.' })
    },
  }),
}

/** Functions of tests that take a limit of time in ms, as the last argument or as `timeout`. */
const LIMITED = new Set(['it', 'test', 'describe', 'beforeAll', 'afterAll', 'beforeEach', 'afterEach'])
const WAITING = new Set(['poll', 'waitFor', 'waitUntil', 'waitForFunction', 'waitForSelector', 'until', 'untilTrue'])

/** The name of the function that is called: `it` of `it.each(rows)(…)`, `poll` of `expect.poll(…)`. */
function limitedName({ callee }) {
  if (callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression')
    return limitedName({ callee: callee.callee ?? callee.tag })
  if (callee.type === 'Identifier') return callee.name
  if (callee.type !== 'MemberExpression') return undefined
  const name = limitedName({ callee: callee.object })
  return LIMITED.has(name) ? name : callee.property.name
}

const isNumber = ({ type, value, callee, arguments: [first] = [] }) =>
  (type === 'Literal' && typeof value === 'number') || (callee?.name === 'runs' && isNumber(first))

/**
 * A busy machine decides how long a test takes: what hangs is ended by the limits of `test/limits.ts`, which are the
 * defaults.
 */
const limits = {
  create: (context) => ({
    CallExpression(node) {
      const name = limitedName(node)
      const isSignal = name === 'timeout' && node.callee.object?.name === 'AbortSignal'
      if (!isSignal && !LIMITED.has(name) && !WAITING.has(name)) return
      const options = node.arguments.flatMap((one) => (one.type === 'ObjectExpression' ? one.properties : []))
      const timeouts = options.filter(({ key }) => key?.name === 'timeout').map(({ value }) => value)
      for (const found of [...node.arguments, ...timeouts].filter(isNumber))
        context.report({ node: found, message: 'Leave out the limit, or use those of test/limits.ts.' })
    },
  }),
}

export default {
  meta: { name: 'vue-chain' },
  rules: { layers, 'loaded-code': loadedCode, 'abort-event': abortEvent, 'comment-width': commentWidth, limits },
}

import { dirname, relative, resolve } from 'node:path'
import js from '@eslint/js'
import regexp from 'eslint-plugin-regexp'
import rxjs from 'eslint-plugin-rxjs-x'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import { forbiddenImport, forbiddenPackage } from './scripts/layers.mjs'

const SRC = resolve(import.meta.dirname, 'src')

/** The import rules of scripts/layers.mjs as a lint rule. */
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
const abortListener = {
  create: (context) => ({
    CallExpression(node) {
      const { callee, arguments: given } = node
      const at = { addEventListener: 0, fromEvent: 1 }[callee.property?.name ?? callee.name]
      if (at === undefined || given[at]?.value !== 'abort') return
      context.report({ node, message: 'Wait for a signal by src/loading/abortable.' })
    },
  }),
}

/** Prettier leaves comments as they are. */
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

const PAGE_GLOBALS = ['window', 'document', 'localStorage', 'navigator']

/** Parcel adds packages of its own to a page that names one of them. Properties of `globalThis` are left alone. */
const NODE_GLOBALS = ['process', 'Buffer', 'global', '__dirname', '__filename'].map((name) => ({
  name,
  message: `Use globalThis.${name}.`,
}))

/** Modules that no page loads. */
const SERVER_MODULES = ['src/{cli,devnode,feed,sql}/**/*.ts', 'src/adapters/nuxt/*.ts']

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'coverage/',
      'node_modules/',
      'test/fixtures/',
      'test/packaging/apps/',
      'demo/dist/',
      'docs/',
      'create/dist/',
      'create/templates/',
      '**/*.md',
      '**/*.d.ts',
      '.cache/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,vue,js,mjs}'],
    plugins: { regexp },
    rules: {
      // An expression on remote input must take linear time.
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['**/*.{ts,vue,js,mjs}'],
    plugins: { 'vue-chain-comments': { rules: { width: commentWidth } } },
    rules: { 'vue-chain-comments/width': 'error' },
  },
  {
    files: ['**/*.ts', '**/*.vue'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname, extraFileExtensions: ['.vue'] },
    },
    rules: {
      '@typescript-eslint/consistent-type-definitions': 'off', // `interface` for records, `type` for unions
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-generated-empty-object-type': 'off', // Vue's own types contain it
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unified-signatures': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { 'vue-chain': { rules: { layers, 'loaded-code': loadedCode, 'abort-listener': abortListener } }, rxjs },
    rules: {
      'vue-chain/layers': 'error',
      'vue-chain/loaded-code': 'error',
      'vue-chain/abort-listener': 'error',
      'rxjs/no-async-subscribe': 'error',
      'rxjs/no-nested-subscribe': 'error',
      'rxjs/no-unbound-methods': 'error',
      'rxjs/no-unsafe-takeuntil': 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }],
    },
  },
  { files: ['src/**/*.ts'], rules: { 'no-restricted-globals': ['error', ...NODE_GLOBALS] } },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/adapters/**', 'src/wallets/**', 'src/testing/**', 'src/platform/browser.ts'],
    rules: { 'no-restricted-globals': ['error', ...PAGE_GLOBALS, ...NODE_GLOBALS] },
  },
  {
    // programs and modules of Node load from their own package, tests all at once
    files: ['src/{cli,adapters/nuxt,adapters/vue/testing}/**/*.ts'],
    rules: { 'vue-chain/loaded-code': 'off' },
  },
  { files: ['src/loading/abortable.ts'], rules: { 'vue-chain/abort-listener': 'off' } },
  { files: SERVER_MODULES, rules: { 'no-restricted-globals': ['error', ...PAGE_GLOBALS] } },
  {
    files: ['src/adapters/nuxt/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' }, // Nuxt takes modules and plugins as default exports
  },
  {
    files: ['src/adapters/vue/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'vue',
              importNames: ['ref', 'reactive', 'readonly'],
              message: 'Use shallowRef and shallowReadonly: entries stay plain objects.',
            },
          ],
        },
      ],
    },
  },
  ...vue.configs['flat/recommended'].map((config) => ({ ...config, files: config.files ?? ['**/*.vue'] })),
  {
    files: ['**/*.vue'],
    languageOptions: { parserOptions: { parser: tseslint.parser } },
    rules: {
      'vue/multi-word-component-names': 'off',
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/html-self-closing': 'off',
      'vue/html-indent': 'off',
      'vue/html-closing-bracket-newline': 'off',
      'vue/first-attribute-linebreak': 'off',
      'vue/multiline-html-element-content-newline': 'off',
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off', // plain objects of functions
      '@typescript-eslint/require-await': 'off', // stubs of asynchronous functions
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/real-node/**'], // a node of its own decides how long its scenarios take
    plugins: { 'vue-chain-test': { rules: { limits } } },
    rules: { 'vue-chain-test/limits': 'error' },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
        AbortController: 'readonly',
        Buffer: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        globalThis: 'readonly',
      },
    },
  },
)

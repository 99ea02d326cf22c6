import js from '@eslint/js'
import regexp from 'eslint-plugin-regexp'
import rxjs from 'eslint-plugin-rxjs-x'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import vueChain from './scripts/lint-rules.mjs'

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
    plugins: { 'vue-chain': vueChain },
    rules: { 'vue-chain/comment-width': 'error' },
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
    plugins: { rxjs },
    rules: {
      'vue-chain/layers': 'error',
      'vue-chain/loaded-code': 'error',
      'vue-chain/abort-event': 'error',
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
  { files: ['src/loading/abortable.ts'], rules: { 'vue-chain/abort-event': 'off' } },
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
    rules: { 'vue-chain/limits': 'error' },
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
        URLSearchParams: 'readonly',
      },
    },
  },
)

import tseslint from 'typescript-eslint'
import config from './eslint.config.js'

/**
 * ESLint for `npm run lint`: eslint.config.js without the rules that need types, which oxlint applies to `.ts` files in
 * a tenth of the time (.oxlintrc.json; test/contract/lint-rules.test.ts compares the lists). Editors and `test:changed`
 * use eslint.config.js.
 */
export default tseslint.config(
  ...config,
  { ...tseslint.configs.disableTypeChecked, files: ['**/*.ts'] },
  { linterOptions: { reportUnusedDisableDirectives: 'off' } }, // some are for oxlint
  {
    files: ['src/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true } }, // for the rules on RxJS
  },
)

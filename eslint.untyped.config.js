import tseslint from 'typescript-eslint'
import config from './eslint.config.js'

/**
 * ESLint for `npm run lint`: eslint.config.js for `.vue`, `.js` and `.mjs`, without the rules that need types. To `.ts`
 * files oxlint applies the rules of eslint.config.js, in a tenth of the time (.oxlintrc.json;
 * test/contract/lint-rules.test.ts compares the lists). Editors, `test:changed` and `lint:full` use eslint.config.js.
 */
export default tseslint.config(
  { ignores: ['**/*.ts'] },
  ...config,
  { ...tseslint.configs.disableTypeChecked, files: ['**/*.vue'] },
  { linterOptions: { reportUnusedDisableDirectives: 'off' } }, // some are for the rules with types
)

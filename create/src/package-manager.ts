/** A package manager as the user calls it. */
export interface PackageManager {
  readonly install: string
  /** Runs a script of package.json. */
  readonly run: (script: 'dev' | 'test') => string
}

const NPM: PackageManager = {
  install: 'npm install',
  run: (script) => (script === 'test' ? 'npm test' : `npm run ${script}`),
}

const OTHERS: Readonly<Record<string, PackageManager>> = {
  pnpm: { install: 'pnpm install', run: (script) => `pnpm ${script}` },
  yarn: { install: 'yarn', run: (script) => `yarn ${script}` },
  bun: { install: 'bun install', run: (script) => `bun run ${script}` }, // `bun test` is another command
}

/**
 * The package manager that has called this program, by its `npm_config_user_agent`: `pnpm/10.1.0 npm/? node/v22.1.0 …`.
 */
export const packageManagerOf = (userAgent = ''): PackageManager => OTHERS[userAgent.split('/', 1)[0] ?? ''] ?? NPM

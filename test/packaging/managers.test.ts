import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { installedIn } from './support/installed.js'
import { run } from './support/process.js'

/** A package manager, by arguments of Node in the folder of its service. */
interface Manager {
  readonly service: string
  readonly title: string
  readonly install: readonly string[]
  /** Precedes the script. */
  readonly launch?: readonly string[]
  /** Installed packages, removed before. */
  readonly installed: readonly string[]
}

const YARN = '../node_modules/@yarnpkg/cli-dist/bin/yarn.js'
/** The library is packed for each run: its hash is not that of the lockfile. */
const ENV = {
  YARN_ENABLE_SCRIPTS: 'false',
  YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  YARN_CHECKSUM_BEHAVIOR: 'update',
  YARN_ENABLE_TELEMETRY: '0',
}

const MANAGERS: readonly Manager[] = [
  {
    service: 'npm10',
    title: 'npm 10',
    install: ['../node_modules/npm/bin/npm-cli.js', 'install', '--ignore-scripts', '--no-audit', '--no-fund'],
    installed: ['node_modules'],
  },
  {
    service: 'pnpm',
    title: 'pnpm 10',
    install: ['../node_modules/pnpm/bin/pnpm.cjs', 'install', '--ignore-scripts', '--no-frozen-lockfile'],
    installed: ['node_modules'],
  },
  {
    service: 'yarn',
    title: 'Yarn 4, node_modules',
    install: [YARN, 'install'],
    installed: ['node_modules', '.yarn'],
  },
  {
    service: 'yarn-pnp',
    title: 'Yarn 4, PnP',
    install: [YARN, 'install'],
    launch: [YARN, 'node'],
    installed: ['.pnp.cjs', '.pnp.loader.mjs', '.yarn'],
  },
]

const folder = installedIn('managers') ?? ''

describe.skipIf(folder === '').each(MANAGERS.map((manager, index) => ({ ...manager, index })))(
  '$title',
  ({ service, install, launch = [], installed, index }) => {
    const cwd = join(folder, service)
    let devnode: Devnode
    beforeAll(async () => {
      devnode = await createDevnode({ accounts: 2 * MANAGERS.length })
    })
    afterAll(() => devnode.close())

    it('installs a service that is live, pays, and exits', async () => {
      for (const name of installed) rmSync(join(cwd, name), { recursive: true, force: true })
      await run(process.execPath, install, { cwd, env: ENV })
      const [from, to] = [devnode.accounts[2 * index]!, devnode.accounts[2 * index + 1]!]
      const payment = [devnode.urls.borsh, from.privateKeyHex, from.address, to.address]
      const output = await run(process.execPath, [...launch, 'service.mjs', ...payment], { cwd, env: ENV })
      expect(output).toMatch(/live and paid: (accepted|confirmed)/)
    })
  },
)

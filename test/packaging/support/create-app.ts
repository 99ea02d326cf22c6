import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, ROOT } from './folder.js'
import { run } from './process.js'

/** Where apps are created, and the packages that they are created from. */
export interface Workshop {
  readonly folder: string
  /** The packed create-vue-chain. */
  readonly tool: string
}

/** Bundles and packs create-vue-chain, and lays the packed library beside it. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = join(FOLDER, 'created')
  mkdirSync(folder, { recursive: true })
  await run('npm', ['run', '--silent', 'build:create'], { cwd: ROOT })
  const output = await run('npm', ['pack', '--json', '--loglevel', 'error', '--pack-destination', folder], {
    cwd: join(ROOT, 'create'),
  })
  const [packed] = JSON.parse(output.slice(output.indexOf('['))) as { filename: string }[]
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  copyFileSync(join(FOLDER, `vue-chain-${version}.tgz`), join(folder, 'vue-chain.tgz')) // packed by setup.ts
  return { folder, tool: join(folder, packed!.filename) }
}

/** Runs the packed create-vue-chain as `npm create` does, offline; resolves to the folder of the app. */
export async function createApp({ folder, tool }: Workshop, name: string, template: string): Promise<string> {
  rmSync(join(folder, name), { recursive: true, force: true })
  const command = ['exec', '--offline', '--yes', `--package=file:${tool}`, '--', 'create-vue-chain']
  await run('npm', [...command, name, '--template', template, '--vue-chain', 'file:vue-chain.tgz'], { cwd: folder })
  return join(folder, name)
}

/**
 * Installs the packages of a created app, its own script `postinstall` included; those of other packages never run.
 * `overrides` are versions of packages that the registry has for this platform.
 */
export async function installApp(app: string, overrides: Readonly<Record<string, string>> = {}): Promise<void> {
  const path = join(app, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as { scripts: Record<string, string> }
  if (Object.keys(overrides).length > 0) writeFileSync(path, JSON.stringify({ ...manifest, overrides }))
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', '--prefer-offline']
  await run('npm', args, { cwd: app })
  if ('postinstall' in manifest.scripts) await run('npm', ['run', 'postinstall'], { cwd: app })
}

/** What the README of every template promises. */
export async function checkApp(app: string): Promise<void> {
  for (const script of ['typecheck', 'test', 'build']) await run('npm', ['run', script], { cwd: app })
  if (!existsSync(join(app, '.gitignore'))) throw new Error(`${app} has no .gitignore`)
}

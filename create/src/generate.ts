import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { problemOfName } from './package-name.js'
import { Refusal } from './refusal.js'
import type { Target } from './target.js'

export interface GenerateOptions {
  /** The folder of the template. */
  readonly template: string
  readonly target: Target
  /** Version, tag, URL or path of the package vue-chain. @default that of the template */
  readonly vueChain: string | undefined
}

/** The part of a package.json that is read and changed. */
interface Manifest {
  name: string
  readonly dependencies: Record<string, string>
  readonly devDependencies?: Record<string, string>
}

/** `npm pack` leaves out the files of these names, so that templates have them under others. */
const RENAMED: Readonly<Record<string, string>> = { _gitignore: '.gitignore' }

const PLACEHOLDER = '%APP_NAME%'

/**
 * Writes the files of a template for an app; returns their paths in it, in order. Replaces no file. Throws `Refusal` where a
 * dependency has the app's name.
 */
export function generate({ template, target, vueChain }: GenerateOptions): readonly string[] {
  const manifest = toManifest(readFileSync(join(template, 'package.json'), 'utf8'), target.name, vueChain)
  return pathsIn(template).map((path) => {
    const parts = path.split('/')
    const name = parts.pop() ?? ''
    const written = [...parts, RENAMED[name] ?? name].join('/')
    const text = path === 'package.json' ? manifest : readFileSync(join(template, path), 'utf8')
    const file = join(target.folder, written)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll(PLACEHOLDER, target.name), { flag: 'wx' })
    return written
  })
}

/** Paths of the files below a folder, with `/` on every system. */
const pathsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()

function toManifest(text: string, name: string, vueChain: string | undefined): string {
  const manifest = JSON.parse(text) as Manifest
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  const problem = problemOfName(name, Object.keys(dependencies))
  if (problem !== undefined) throw new Refusal(problem)
  manifest.name = name
  if (vueChain !== undefined) manifest.dependencies['vue-chain'] = vueChain
  return `${JSON.stringify(manifest, null, 2)}\n`
}

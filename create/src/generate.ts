import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { problemOfName } from './package-name.js'
import { Refusal } from './refusal.js'
import type { Target } from './target.js'
import { foldersOf, toSources, type TemplateName } from './templates.js'

export interface GenerateOptions {
  /** The folder of the templates. */
  readonly templates: string
  readonly template: TemplateName
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
 * Writes the files of a template for an app. Replaces no file. Throws `Refusal` where a dependency has the app's name.
 */
export function generate({ templates, template, target, vueChain }: GenerateOptions): void {
  const manifest = toManifest(readFileSync(join(templates, template, 'package.json'), 'utf8'), target.name, vueChain)
  for (const { path, source } of filesOf(templates, template)) {
    const text = path === 'package.json' ? manifest : toSources(readFileSync(source, 'utf8'), template)
    const file = join(target.folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text.replaceAll(PLACEHOLDER, target.name), { flag: 'wx' })
  }
}

/** The files of an app: their paths in it, and where they are read. */
const filesOf = (templates: string, template: TemplateName): readonly { path: string; source: string }[] =>
  foldersOf(template).flatMap((folder) =>
    pathsIn(join(templates, folder)).map((path) => ({
      path: withName(toSources(path, template)),
      source: join(templates, folder, path),
    })),
  )

function withName(path: string): string {
  const name = posix.basename(path)
  return posix.join(posix.dirname(path), RENAMED[name] ?? name)
}

/** Paths of the files below a folder, with `/` on every system. */
const pathsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))

function toManifest(text: string, name: string, vueChain: string | undefined): string {
  const manifest = JSON.parse(text) as Manifest
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  const problem = problemOfName(name, Object.keys(dependencies))
  if (problem !== undefined) throw new Refusal(problem)
  manifest.name = name
  if (vueChain !== undefined) manifest.dependencies['vue-chain'] = vueChain
  return `${JSON.stringify(manifest, null, 2)}\n`
}

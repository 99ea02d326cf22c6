import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Refusal } from './refusal.js'

/**
 * The spec of a package as the app in `folder` names it: a `file:` path, which the user has written relative to `cwd`,
 * becomes relative to the app. Throws `Refusal` where nothing is there.
 */
export function toSpecOf(folder: string, spec: string | undefined, cwd: string): string | undefined {
  if (!spec?.startsWith('file:')) return spec
  const path = resolve(cwd, spec.slice('file:'.length))
  if (!existsSync(path)) throw new Refusal(`There is no package at ${path}.`)
  return `file:${relative(folder, path).replaceAll('\\', '/')}`
}

import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { problemOfName } from './package-name.js'

/** Where an app is created, and its name. */
export interface Target {
  /** Absolute. */
  readonly folder: string
  readonly name: string
}

/** The last part of the path is the app's name. */
export function toTarget(folder: string, cwd: string): Target {
  const absolute = resolve(cwd, folder)
  return { folder: absolute, name: basename(absolute) }
}

/** Why no app can be created there; undefined where one can. A repository without files counts as empty. */
export function problemOfTarget({ folder, name }: Target): string | undefined {
  if (!existsSync(folder)) return problemOfName(name)
  if (!statSync(folder).isDirectory()) return `${folder} is a file.`
  if (readdirSync(folder).some((entry) => entry !== '.git')) return `The folder ${folder} is not empty.`
  return problemOfName(name)
}

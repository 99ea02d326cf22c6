import { relative } from 'node:path'
import type { PackageManager } from './package-manager.js'
import type { Target } from './target.js'
import type { TemplateName } from './templates.js'

/** The commands that follow, for the package manager of the user. */
export function nextSteps(
  template: TemplateName,
  { folder }: Target,
  cwd: string,
  { install, run }: PackageManager,
): string {
  const path = relative(cwd, folder)
  const what = template === 'service' ? 'the service' : 'the app'
  const about: readonly (readonly [string, string])[] = [
    ...(path === '' ? [] : [[`cd ${/\s/.test(path) ? `"${path}"` : path}`, ''] as const]),
    [install, ''],
    [run('dev'), `${what}, and a local Kaspa network with funded accounts`],
    [run('test'), 'its tests, on a network in memory'],
  ]
  const width = Math.max(...about.map(([command]) => command.length)) + 3
  return about.map(([command, meaning]) => `  ${command.padEnd(width)}${meaning}`.trimEnd()).join('\n')
}

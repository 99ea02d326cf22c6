import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { LIMIT } from '../limits.js'

const ROOT = resolve(import.meta.dirname, '../..')

it(
  'compiles the theme with its live examples and the playground',
  () => {
    const compiler = resolve(ROOT, 'node_modules/vue-tsc/bin/vue-tsc.js')
    const project = resolve(ROOT, 'docs/.vitepress/tsconfig.json')
    const { stdout } = spawnSync(process.execPath, [compiler, '--noEmit', '-p', project], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
  },
  2 * LIMIT,
) // a compiler run: minutes on a busy machine

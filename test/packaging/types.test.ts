import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { installedIn } from './support/installed.js'
import { run } from './support/process.js'

const FIXTURES = { types: 'the newest Vue', 'vue-3.5.0': 'Vue 3.5.0' }
/** The lowest supported release, and one of each later line. */
const RELEASES = ['5.7', '5.9', '6', '7']
const RESOLUTIONS = [
  ['bundler', 'esnext'],
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
] as const

const STRICT = ['--noEmit', '--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false', '--target', 'es2022']
const PAGE = ['types/app.ts', '--lib', 'es2022,dom,dom.iterable', '--types', 'node']
const SERVICE = ['types/service.ts', '--lib', 'es2022', '--types', 'node']

const cases = Object.entries(FIXTURES).flatMap(([app, vue]) =>
  RELEASES.map((release) => ({ app, title: `TypeScript ${release} with ${vue}`, release })),
)

describe.each(cases)('$title', ({ app, release }) => {
  const folder = installedIn(app) ?? ''

  const compile = (module: string, moduleResolution: string, program: readonly string[]): Promise<string> => {
    const compiler = join('node_modules', `typescript-${release}`, 'bin/tsc')
    const args = [...STRICT, '--module', module, '--moduleResolution', moduleResolution, ...program]
    return run(process.execPath, [compiler, ...args], { cwd: folder })
  }

  it.skipIf(folder === '').each(RESOLUTIONS)(
    'compiles a page by `%s`, every library checked',
    async (moduleResolution, module) => {
      expect(await compile(module, moduleResolution, PAGE)).toBe('')
    },
  )

  it.skipIf(folder === '')('compiles a service without the DOM library', async () => {
    expect(await compile('nodenext', 'nodenext', SERVICE)).toBe('')
  })
})

import { resolve } from 'node:path'
import { build, type Rolldown } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../../..')
const external = new Set<string>()
let modules: readonly string[] = []

beforeAll(async () => {
  const isExternal = (id: string): boolean => {
    if (!/^(node:|ws$|rxjs|@noble|@scure|isomorphic-ws)/.test(id)) return false
    external.add(id)
    return true
  }
  const output = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: 'src/devnode/memory/index.ts', formats: ['es'] },
      rolldownOptions: { external: isExternal },
    },
  })
  modules = [output]
    .flat()
    .flatMap((result) => ('output' in result ? result.output : []))
    .flatMap(modulesOf)
})

const modulesOf = (part: Rolldown.OutputChunk | Rolldown.OutputAsset): readonly string[] =>
  part.type === 'chunk' ? part.moduleIds : []

describe('the entry point vue-chain/devnode/memory', () => {
  it('contains the whole node', () => {
    expect(modules.some((id) => id.endsWith('devnode/rest/rest.ts'))).toBe(true)
  })

  it('imports no module of Node, and no `ws`', () => {
    expect([...external].filter((id) => id.startsWith('node:') || id === 'ws')).toEqual([])
  })
})

import { inspect } from 'node:util'
import { asyncScheduler, of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findNode, type InspectorNode } from '../../../../src/adapters/vue/devtools/inspector-node.js'
import { nodesOf } from '../../../../src/adapters/vue/devtools/inspector.js'
import { createParts } from '../../../../src/engine/core.js'
import { type CoreParts, feature } from '../../../../src/engine/core-parts.js'
import { restClients } from '../../../../src/engine/features/rest.js'
import { utxos } from '../../../../src/engine/features/utxos.js'
import { ChainRpcError } from '../../../../src/errors/rpc-error.js'
import { createTestPlatform } from '../../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../../src/testing/scripted-node.js'

const ADDRESS = 'kaspasim:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukv834pxlxj'

let node: ScriptedNode
let core: CoreParts

beforeEach(() => {
  node = createScriptedNode()
  core = createParts({
    network: 'simnet',
    ports: { node, platform: createTestPlatform({ scheduler: asyncScheduler }) },
  })
})
afterEach(() => core.dispose())

const flatten = (nodes: readonly InspectorNode[]): readonly InspectorNode[] =>
  nodes.flatMap((each) => [each, ...flatten(each.children ?? [])])

const statesOf = (): readonly unknown[] => flatten(nodesOf(core)).map(({ state }) => state())

const tagsOf = (id: string): readonly string[] | undefined =>
  findNode(nodesOf(core), id)?.tags?.map(({ label }) => label)

function fieldOf(id: string, section: string, name: string): unknown {
  const sections = findNode(nodesOf(core), id)?.state() ?? {}
  return sections[section]?.find(({ key }) => key === name)?.value
}

describe('the nodes of the inspector', () => {
  it('are read without creating a feature, a request or a connection', () => {
    expect(statesOf()).toHaveLength(8)
    expect(core.features.size).toBe(0)
    expect(node.dialled).toEqual([])
  })

  it('exist after the engine is disposed', async () => {
    await core.dispose()
    expect(statesOf()).toHaveLength(8)
    expect(tagsOf('connection')).toEqual(['disposed'])
  })

  it('have different ids', () => {
    const ids = flatten(nodesOf(core)).map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('show why an address is not fresh, and the refusal of its subscription', async () => {
    const refusal = new ChainRpcError('subscribe', new Error('no index'), { code: 'unsupported' })
    node.respond('subscribe', ({ scope }) =>
      scope.type === 'utxos-changed' ? throwError(() => refusal) : of({ id: 1n }),
    )
    feature(core, utxos)([ADDRESS]).state$.subscribe()
    await expect.poll(() => tagsOf(`utxos/${ADDRESS}`)).toEqual(['unknown', 'no-utxo-index'])
    expect(fieldOf(`utxos/${ADDRESS}`, 'utxos', 'error')).toContain('no index')
    expect(fieldOf('subscriptions/utxos-changed', 'refused', 'error')).toContain('no index')
  })

  it('fetch the UTXOs of an address again', async () => {
    const calls = (): number => node.calls.filter(({ method }) => method === 'getUtxosByAddresses').length
    node.respond('getUtxosByAddresses', () => of({ entries: [] }))
    node.respond('getMempoolEntriesByAddresses', () => of({ entries: [] }))
    feature(core, utxos)([ADDRESS]).state$.subscribe()
    await expect.poll(() => tagsOf(`utxos/${ADDRESS}`)).toEqual(['fresh'])
    const before = calls()
    findNode(nodesOf(core), `utxos/${ADDRESS}`)?.refresh?.()
    await expect.poll(calls).toBeGreaterThan(before)
  })

  it('show neither the headers of REST clients nor credentials in their URLs', () => {
    const { current } = feature(core, restClients)
    expect(() => current({ baseUrl: 'https://user:secret-1@api.example/v1' })).toThrow('baseUrl')
    const { cache } = current({ baseUrl: 'https://api.example/v1', headers: { authorization: 'Bearer secret-2' } })
    const kept = { value: {}, fresh: 1_000, limit: Infinity, revalidate: 0 }
    cache.put([{ key: 'GET /info/blockdag?api_key=secret-3 ', kept, at: core.platform.now() }])
    const shown = inspect([nodesOf(core), statesOf()], { depth: null })
    expect(shown).toContain('/info/blockdag?api_key=***')
    expect(shown).toContain('https://***@api.example/v1')
    expect(shown).not.toMatch(/secret-\d/)
  })

  it('clear one cached response, or all of them', () => {
    const { cache } = feature(core, restClients).current({ baseUrl: 'https://api.example' })
    const kept = { value: {}, fresh: 1_000, limit: Infinity, revalidate: 0 }
    const at = core.platform.now()
    cache.put([
      { key: 'GET /a ', kept, at },
      { key: 'GET /b ', kept, at: at + 1 },
      { key: 'GET /c ', kept, at: at + 2 },
    ])
    expect(findNode(nodesOf(core), 'rest/0')?.children?.map(({ label }) => label.trim())).toEqual([
      'GET /c',
      'GET /b',
      'GET /a',
    ])
    findNode(nodesOf(core), 'rest/0/GET /b ')?.refresh?.()
    expect(cache.entries().map(({ key }) => key)).toEqual(['GET /a ', 'GET /c '])
    findNode(nodesOf(core), 'rest')?.refresh?.()
    expect(cache.entries()).toEqual([])
  })
})

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/create-devnode.js'
import type { Devnode } from '../../src/devnode/devnode.js'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'

const ROOT = resolve(import.meta.dirname, '../..')
const OUTPUT = join(ROOT, '.cache/guide-rest')

type Guide = Readonly<Record<string, (...args: unknown[]) => unknown>>

/** Loads the guide's examples without Vue as modules on the library's sources. */
async function readGuide(): Promise<Guide> {
  rmSync(OUTPUT, { recursive: true, force: true })
  mkdirSync(OUTPUT, { recursive: true })
  const blocks = readFileSync(join(ROOT, 'docs/rest.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)
  const examples = [...blocks].map(([, code = '']) => code).filter((code) => !code.includes("from 'vue'"))
  const modules = examples.map((code, index) => {
    const file = join(OUTPUT, `example-${index}.ts`)
    writeFileSync(
      file,
      code.replace(/'vue-chain\/(\w+)'/g, (_, entry: string) => `'${ROOT}/src/${entry}/index.js'`),
    )
    return import(/* @vite-ignore */ pathToFileURL(file).href) as Promise<Guide>
  })
  return Object.assign({}, ...(await Promise.all(modules))) as Guide
}

describe('the examples of the guide to REST', () => {
  let devnode: Devnode
  let rest: ChainRestClient
  let guide: Guide
  let address: string
  let paid: string
  const tried = new Set<string>(['rest', 'custom'])
  const run = (name: string, ...args: unknown[]): unknown => {
    tried.add(name)
    return guide[name]?.(...args)
  }

  beforeAll(async () => {
    devnode = await createDevnode({ blockInterval: 0, balance: 0n })
    address = devnode.accounts[3]?.address ?? ''
    await devnode.mine(3)
    paid = await devnode.fund(address, 9_007_199_254_740_993n)
    await devnode.mine(3)
    rest = createRestClient({ network: 'simnet', baseUrl: devnode.urls.rest })
    guide = await readGuide()
  })
  afterAll(() => devnode.close())

  it('summarise an address', async () => {
    expect(await run('describe', rest, address)).toBe('9007199254740993 sompi, 1 transactions, in use')
  })

  it('list the latest transactions of an address', async () => {
    expect(await run('latest', rest, address)).toMatchObject([{ transaction_id: paid }])
  })

  it('describe a known and an unknown transaction', async () => {
    expect(await run('explain', rest, paid)).toMatch(/paid 9007199254740993 to kaspasim:\w[^\n]*: accepted$/)
    expect(await run('explain', rest, 'ab'.repeat(32))).toMatch(/^in no block yet/)
  })

  it('sum the received amounts over all pages', async () => {
    expect(await run('received', rest, address)).toBe(9_007_199_254_740_993n)
  })

  it('list UTXOs as exact amounts', async () => {
    expect(await run('utxoAmounts', rest, address)).toEqual([9_007_199_254_740_993n])
  })

  it('read the tip and the recently accepted transactions', async () => {
    expect(await run('tip', rest)).toMatchObject({ blueScore: expect.stringMatching(/^\d+$/), count: 1 })
    expect(await run('lately', rest)).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+: \d+$/)]))
  })

  it('compute the circulating share of the maximum supply', async () => {
    expect(await run('emission', rest)).toMatchObject({ share: expect.any(Number), blockreward: 7.3416192 })
  })

  it('send requests to endpoints without an operation', async () => {
    expect(await run('ping', rest)).toMatchObject({ database: { is_online: true } })
  })

  it('map errors to remedies', async () => {
    const failing = (call: Promise<unknown>) => call.catch((error: unknown) => run('remedyFor', error))
    expect(await failing(rest.getAddressBalance('nonsense'))).toBe('fix the call')
    expect(await failing(rest.getPrice())).toBe('another server')
    expect(await failing(rest.getBlock('ab'.repeat(32)))).toBe('later')
  })

  it('configure caching', async () => {
    expect(await run('watchful', rest, address)).toBeGreaterThan(0)
  })

  it('run against a devnode', async () => {
    expect(await run('rehearse')).toBeTypeOf('bigint')
  })

  it('are all run here', () => {
    expect(Object.keys(guide).filter((name) => !tried.has(name))).toEqual([])
  })
})

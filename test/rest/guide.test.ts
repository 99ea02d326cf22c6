import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode } from '../../src/devnode/create-devnode.js'
import type { Devnode } from '../../src/devnode/devnode.js'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'

const ROOT = resolve(import.meta.dirname, '../..')
const WORKPLACE = join(ROOT, '.cache/guide-rest')

type Guide = Readonly<Record<string, (...args: unknown[]) => unknown>>

/** The examples of the page that need no Vue, as one module each, on the library's sources. */
async function readGuide(): Promise<Guide> {
  rmSync(WORKPLACE, { recursive: true, force: true })
  mkdirSync(WORKPLACE, { recursive: true })
  const blocks = readFileSync(join(ROOT, 'docs/rest.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```/gm)
  const examples = [...blocks].map(([, code = '']) => code).filter((code) => !code.includes("from 'vue'"))
  const modules = examples.map((code, index) => {
    const file = join(WORKPLACE, `example-${index}.ts`)
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
  const tried = new Set<string>(['rest', 'elsewhere'])
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

  it('describe an address', async () => {
    expect(await run('describe', rest, address)).toBe('9007199254740993 sompi, 1 transactions, in use')
  })

  it('explain a transaction, known or not', async () => {
    expect(await run('explain', rest, paid)).toMatch(/paid 9007199254740993 to kaspasim:\w+.*: accepted$/)
    expect(await run('explain', rest, 'ab'.repeat(32))).toMatch(/^in no block yet/)
  })

  it('add up what an address received, page after page', async () => {
    expect(await run('received', rest, address)).toBe(9_007_199_254_740_993n)
  })

  it('list coins as exact amounts', async () => {
    expect(await run('coins', rest, address)).toEqual([9_007_199_254_740_993n])
  })

  it('look at the tip, and at what was accepted lately', async () => {
    expect(await run('tip', rest)).toMatchObject({ blueScore: expect.stringMatching(/^\d+$/), count: 1 })
    expect(await run('lately', rest)).toEqual(expect.arrayContaining([expect.stringMatching(/^\d+: \d+$/)]))
  })

  it('know the share of all coins that there are', async () => {
    expect(await run('emission', rest)).toMatchObject({ share: expect.any(Number), blockreward: 7.3416192 })
  })

  it('reach what has no operation of its own', async () => {
    expect(await run('ping', rest)).toMatchObject({ database: { is_online: true } })
  })

  it('say what to do about an error', async () => {
    const failing = (asked: Promise<unknown>) => asked.catch((error: unknown) => run('remedyFor', error))
    expect(await failing(rest.getAddressBalance('nonsense'))).toBe('fix the call')
    expect(await failing(rest.getPrice())).toBe('another server')
    expect(await failing(rest.getBlock('ab'.repeat(32)))).toBe('later')
  })

  it('keep as much as they say', async () => {
    expect(await run('watchful', rest, address)).toBeGreaterThan(0)
  })

  it('rehearse against a devnode of their own', async () => {
    expect(await run('rehearse')).toBeTypeOf('bigint')
  })

  it('are all tried here', () => {
    expect(Object.keys(guide).filter((name) => !tried.has(name))).toEqual([])
  })
})

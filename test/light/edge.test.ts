import { createContext, runInContext } from 'node:vm'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { build } from 'vite'
import type * as Light from '../../src/light/index.js'
import vectors from '../fixtures/accounts/extended-public-keys.json' with { type: 'json' }

const ENTRY = resolve(import.meta.dirname, '../../src/light/index.ts')
const { phrase, simnet } = vectors[0]!

/** One file for the platform "browser", as a script with the exports in `light`. */
async function bundle() {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry: ENTRY, formats: ['iife'], name: 'vueChainLight' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })
  const [{ output } = { output: [] }] = Array.isArray(built) ? built : []
  const chunks = output.flatMap((part) => (part.type === 'chunk' ? [part] : []))
  return { code: chunks.map(({ code }) => code).join('\n'), chunks }
}

/** What edge runtimes have in common: web standards, without DOM and Node. */
const EDGE = {
  ...{ TextEncoder, TextDecoder, URL, crypto, performance, MessageChannel, AbortController },
  ...{ setTimeout, clearTimeout },
}

let chunks: Awaited<ReturnType<typeof bundle>>['chunks']
let light: typeof Light
beforeAll(async () => {
  const bundled = await bundle()
  chunks = bundled.chunks
  light = runInContext(`${bundled.code}\nvueChainLight`, createContext({ ...EDGE })) as typeof Light
})

describe('vue-chain/light in an edge runtime', () => {
  it('has no Node module and no Vue in its graph', () => {
    const ids = chunks.flatMap(({ moduleIds }) => moduleIds)
    expect(
      ids.filter((id) => /^node:|browser-external|isomorphic-ws|\/ws\/|\/vue\/|kaspa-wasm|dist\/sdk/.test(id)),
    ).toEqual([])
    const imported = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
    expect(imported.filter((name) => !chunks.some(({ fileName }) => fileName === name))).toEqual([])
  })

  it('creates mnemonics, derives, and signs, also many inputs', async () => {
    const port = await light.light.loadPort()
    expect(light.isValidMnemonic(port.generateMnemonic(24))).toBe(true)
    const path = { account: 0, change: false, index: 0 }
    const key = port.derivePrivateKey({ phrase, passphrase: '' }, path)
    expect(light.createAddress(port.publicKey(key).compressed, 'simnet')).toBe(simnet.receive[0])
    const hashes = Array.from({ length: 20 }, () => new Uint8Array(32).fill(1))
    const [scripts] = (await port.signHashesAsync?.([{ hashes, privateKey: key }])) ?? []
    expect(scripts).toHaveLength(20)
  })

  it('verifies messages and sign-ins', async () => {
    const port = await light.light.loadPort()
    const key = port.derivePrivateKey({ phrase, passphrase: '' }, { account: 0, change: false, index: 0 })
    const [address = ''] = simnet.receive
    const times = { issuedAt: Date.now(), expiresAt: Date.now() + 60_000 }
    const message = light.createSignInMessage({ domain: 'example.com', address, nonce: 'abcdefgh', ...times })
    const signature = port.signMessage(message, key)
    expect(light.verifyMessage({ address, message, signature })).toBe(true)
    const consumeNonce = (): Promise<boolean> => Promise.resolve(true)
    const request = { message, signature, domain: 'example.com', network: 'simnet', consumeNonce } as const
    expect(await light.verifySignInMessage(request)).toMatchObject({ isValid: true, fields: { address } })
  })
})

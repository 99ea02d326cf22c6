import { afterEach, expect, it, vi } from 'vitest'
import { ChainNotReadyError } from '../../src/errors/not-ready-error.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { ChainEngineOptions } from '../../src/engine/options.js'
import { light } from '../../src/sdk/light/light.js'
import { createScriptedNode } from '../../src/testing/scripted-node.js'
import hd from '../fixtures/consensus/hd.json' with { type: 'json' }

afterEach(() => void vi.unstubAllGlobals())

const createEngine = (sdk: ChainEngineOptions['sdk']): ChainEngine =>
  createChainEngine({ network: 'simnet', autoConnect: false, sdk, ports: { node: createScriptedNode() } })

it('derives keys with `sdk: light` after init(), from idle over loading to ready', async () => {
  const engine = createEngine(light)
  const states: string[] = []
  engine.wasm.status$.subscribe(({ status }) => states.push(status))
  await engine.wasm.init()
  expect(states).toEqual(['idle', 'loading', 'ready'])
  const [vector] = hd.vectors
  const { receive } = engine.keys.derivePublicKeys(vector!.phrase, 'simnet', 2, 0, { passphrase: vector!.passphrase })
  expect(receive.map(({ address }) => address)).toEqual(vector!.accounts['0'].networks.simnet.receive.slice(0, 2))
  await engine.dispose()
})

it('loads `light` also where the build excludes WASM; every other SDK is refused', async () => {
  vi.stubGlobal('__VUE_CHAIN_WASM__', false)
  const [withLight, withWasm] = [createEngine(light), createEngine(undefined)]
  await withLight.wasm.init()
  await expect(withWasm.wasm.init()).rejects.toMatchObject({
    code: 'sdk-unsupported',
    message: 'This build excludes the WASM SDK by `__VUE_CHAIN_WASM__: false`',
    hint: 'Pass the option `sdk: light` of vue-chain/light.',
  })
  await Promise.all([withLight.dispose(), withWasm.dispose()])
})

it('rejects an `sdk` that is neither `light` nor a loader', () => {
  expect(() => createEngine({} as typeof light)).toThrow(
    'Option "sdk" must be `light` of vue-chain/light, or a function that resolves to the SDK',
  )
})

it('verifies without loading the SDK, after loadVerification()', async () => {
  const engine = createEngine(() => Promise.reject(new Error('The SDK must not be loaded')))
  const [vector] = hd.vectors
  expect(() => engine.keys.isValidMnemonic(vector!.phrase)).toThrow(ChainNotReadyError)
  await engine.keys.loadVerification()
  expect(engine.keys.isValidMnemonic(vector!.phrase)).toBe(true)
  expect(() => engine.keys.generateMnemonic()).toThrow(ChainNotReadyError)
  await engine.dispose()
})

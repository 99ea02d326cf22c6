// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { useChain } from '../../../src/adapters/vue/composables/useChain.js'
import { useCrypto } from '../../../src/adapters/vue/composables/useCrypto.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { withApp } from './with-app.js'

describe('useChain', () => {
  it('loads the WASM module, which makes keys available', async () => {
    const { result } = withApp(createScriptedNode(), () => ({ ...useChain(), ...useCrypto() }))
    expect([result.wasmStatus.value, result.isReady.value]).toEqual(['idle', false])
    expect(() => result.generateMnemonic()).toThrow(ChainNotReadyError)
    await Promise.all([result.init(), result.init()])
    expect([result.wasmStatus.value, result.isReady.value]).toEqual(['ready', true])
  })

  it('disconnects before it resets the module', async () => {
    const { result } = withApp(createScriptedNode(), () => ({ ...useChain(), rpc: useRpc() }))
    await Promise.all([result.init(), result.rpc.connect()])
    result.reset()
    expect([result.wasmStatus.value, result.rpc.connectionState.value]).toEqual(['idle', 'disconnected'])
  })

  it('shows the error of a failed load and retries on the next init', async () => {
    const loads = [() => Promise.reject(new Error('404')), () => new Promise<unknown>(() => undefined)]
    const sdk = (): Promise<unknown> => loads.shift()?.() ?? Promise.reject(new Error('Too many loads'))
    const { result } = withApp(createScriptedNode(), useChain, { sdk, ports: { sdk: undefined } })
    await expect(result.init()).rejects.toMatchObject({ code: 'wasm-load-failed' })
    expect(result.wasmStatus.value).toBe('error')
    expect(result.wasmError.value).toMatchObject({ cause: { message: '404' } })
    result.init().catch((error: unknown) => expect(error).toMatchObject({ code: 'aborted' }))
    expect(result.wasmStatus.value).toBe('loading')
  })

  it('loads the module with the first connection', async () => {
    const { result } = withApp(createScriptedNode(), useChain, { autoConnect: true })
    await expect.poll(() => result.wasmStatus.value).toBe('ready')
  })
})

describe('useCrypto', () => {
  it('computes amounts and validates addresses without the WASM module', () => {
    const { result } = withApp(createScriptedNode(), useCrypto)
    const { kaspaToSompi, sompiToKaspa, isValidAddress, currencyUnit } = result
    expect([kaspaToSompi('12.5'), sompiToKaspa(1n), currencyUnit('simnet')]).toEqual([
      1_250_000_000n,
      '0.00000001',
      'SKAS',
    ])
    expect(isValidAddress('kaspasim:nonsense')).toBe(false)
  })
})

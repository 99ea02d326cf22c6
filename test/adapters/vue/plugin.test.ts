// @vitest-environment happy-dom
import { describe, expect, it, vi } from 'vitest'
import { createApp, effectScope } from 'vue'
import { useChain } from '../../../src/adapters/vue/composables/useChain.js'
import { useCore } from '../../../src/adapters/vue/plugin/core.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import type { VueChainOptions } from '../../../src/adapters/vue/plugin/options.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { mountApp, openSockets, withApp } from './with-app.js'

describe('installing the plugin', () => {
  it('connects at once, except with autoConnect: false', () => {
    const [eager, lazy] = [createScriptedNode(), createScriptedNode()]
    const first = withApp(eager, () => undefined, { autoConnect: true })
    const second = withApp(lazy, () => undefined)
    expect([eager, lazy].map(openSockets)).toEqual([1, 0])
    first.unmount()
    second.unmount()
  })

  it('creates one engine per app', () => {
    const node = createScriptedNode()
    const [a, b] = [0, 1].map(() => withApp(node, () => useCore('test')))
    expect(a!.result).not.toBe(b!.result)
    a!.unmount()
    b!.unmount()
  })

  it("reports dispose errors to the app's error handler", async () => {
    const { app, result, unmount } = withApp(createScriptedNode(), () => useCore('test'))
    const errors: unknown[] = []
    app.config.errorHandler = (error) => errors.push(error)
    result.lifetime.add(() => {
      throw new Error('stubborn')
    })
    unmount()
    await expect.poll(() => errors).toMatchObject([{ message: 'A part of the engine could not be disposed' }])
  })

  it('warns on a second installation, and changes nothing', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const options = { autoConnect: false, ports: { node: createScriptedNode() } }
    const app = createApp({}).use(VueChain, options)
    const core = app.runWithContext(() => useCore('test'))
    app.use(VueChain, { ...options, network: 'simnet' })
    expect(warn.mock.calls.flat().join(' ')).toContain('already been applied')
    expect(app.runWithContext(() => useCore('test'))).toBe(core)
    warn.mockRestore()
  })

  it('disposes the engine with the app', async () => {
    const node = createScriptedNode()
    const { result: core, unmount } = withApp(node, () => useCore('test'))
    await core.connection.connect()
    let completed = false
    core.connection.state$.subscribe({ complete: () => (completed = true) })
    unmount()
    expect([openSockets(node), completed]).toEqual([0, true])
  })

  it.each<[string, VueChainOptions]>([
    ['network', { network: 'venusnet' as 'mainnet' }],
    ['url', { url: 'ftp://node' }],
    ['reconnect.baseDelay', { reconnect: { baseDelay: -1 } }],
    ['connectTimeout', { connectTimeout: -1 }],
  ])('rejects an invalid %s, naming it with a hint', (argument, options) => {
    const install = () => createApp({}).use(VueChain, { autoConnect: false, ...options })
    expect(install).toThrow(ChainError)
    expect(install).toThrow(expect.objectContaining({ code: 'invalid-option', argument, hint: expect.any(String) }))
  })
})

describe('a composable', () => {
  it('works in a component, and in app.runWithContext', () => {
    const { app, result } = withApp(createScriptedNode(), () => useChain())
    expect(result.wasmStatus.value).toBe('idle')
    expect(app.runWithContext(() => useChain()).wasmStatus.value).toBe('idle')
  })

  it('throws with installation instructions without the plugin', () => {
    expect(() => mountApp(useChain, () => undefined)).toThrow(
      expect.objectContaining({
        message: 'useChain() needs the vue-chain plugin, which this app does not have',
        code: 'plugin-missing',
        hint: "Install it before mounting: app.use(VueChain, { network: 'mainnet' }).",
      }),
    )
  })

  it('throws outside the context of an app', () => {
    expect(() => effectScope().run(useChain)).toThrow(
      expect.objectContaining({
        message: 'useChain() was called outside the context of a Vue app',
        code: 'plugin-missing',
        hint: 'Call it in setup(), in a Pinia store, or inside app.runWithContext(), before the first await.',
      }),
    )
  })
})

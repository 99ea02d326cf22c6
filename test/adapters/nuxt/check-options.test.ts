import { describe, expect, it } from 'vitest'
import { checkModuleOptions, type ModuleOptions } from '../../../src/adapters/nuxt/module-options.js'
import { createRecorder } from '../../../src/engine/recorder/create-recorder.js'
import { ChainError } from '../../../src/errors/chain-error.js'

/** nuxt.config is not always typed. */
const check = (options: unknown): void => checkModuleOptions(options as ModuleOptions)

function thrownBy(options: unknown): unknown {
  try {
    check(options)
  } catch (error) {
    return error
  }
  return undefined
}

describe('the options of the Nuxt module', () => {
  it.each<ModuleOptions>([
    {},
    { network: 'testnet-10', url: 'wss://node.example', sdk: 'light', css: true, wasmUrl: '/kaspa_bg.wasm' },
    { reconnect: { maxRetries: Infinity }, heartbeat: false, devtools: false, texts: { connect: 'Sign in' } },
    { rest: { baseUrl: 'https://indexer.example', staleTime: 5_000, headers: { 'x-key': 'k' } } },
    { network: undefined, sdk: undefined, rest: { timeout: undefined } },
    { recorder: false },
  ])('may be %o', (options) => {
    expect(() => check(options)).not.toThrow()
  })

  it.each([
    ['network', { network: 'mainet' }],
    ['netwrok', { netwrok: 'mainnet' }],
    ['url', { url: 'http://node.example' }],
    ['connectTimeout', { connectTimeout: '10s' }],
    ['reconnect.maxRetries', { reconnect: { maxRetries: -1 } }],
    ['sdk', { sdk: 'wasm32' }],
    ['css', { css: 'yes' }],
    ['rest', { rest: 'https://indexer.example' }],
    ['rest.staletime', { rest: { staletime: 1 } }],
    ['rest.staleTime', { rest: { staleTime: '1' } }],
    ['retries', { rest: { retries: -1 } }],
  ])('are refused by name: %s', (argument, options) => {
    expect(thrownBy(options)).toMatchObject({ code: 'invalid-option', argument })
    expect(String(thrownBy(options))).toContain(`"${argument}"`)
  })

  it.each([
    ['logger', { logger: console }],
    ['recorder', { recorder: createRecorder() }],
    ['ports', { ports: {} }],
    ['hydration', { hydration: {} }],
    ['sdk', { sdk: () => Promise.resolve({}) }],
    ['wasmUrl', { wasmUrl: () => '/kaspa_bg.wasm' }],
    ['rest.fetcher', { rest: { fetcher: fetch } }],
  ])('refuse what cannot be serialised, and say where it goes: %s', (argument, options) => {
    const error = thrownBy(options)
    expect(error).toBeInstanceOf(ChainError)
    expect(error).toMatchObject({ argument, hint: expect.stringContaining('chain.options.ts') as string })
    expect((error as ChainError).message).toBe(
      `Option "${argument}" cannot be set in nuxt.config, because it cannot be serialised`,
    )
  })
})

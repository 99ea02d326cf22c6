import { expect, it } from 'vitest'
import {
  type ModuleOptions,
  toRuntimeConfig,
  type ChainRuntimeConfig,
} from '../../../src/adapters/nuxt/module-options.js'
import { readOptions } from '../../../src/adapters/nuxt/runtime/options.js'

/** As Nuxt writes the config of its server: as JSON. */
const throughJson = (config: ChainRuntimeConfig): ChainRuntimeConfig =>
  JSON.parse(JSON.stringify(config)) as ChainRuntimeConfig

const options: ModuleOptions = {
  network: 'testnet-10',
  urls: ['wss://a.example', 'wss://b.example'],
  autoConnect: false,
  reconnect: { maxRetries: Infinity, jitter: 0 },
  heartbeat: false,
  css: true,
  sdk: 'light',
  restUrl: undefined,
  rest: { staleTime: 0, headers: { authorization: 'Bearer hunter2' } },
}

it('carries the options to the app, without those of the build', () => {
  const { css: _, sdk: __, restUrl: ___, ...expected } = options
  expect(readOptions(throughJson(toRuntimeConfig(options)))).toEqual(expected)
})

it('carries a URL as text', () => {
  const shared = { workerUrl: new URL('https://app.example/worker.js') }
  expect(readOptions(throughJson(toRuntimeConfig({ shared }))).shared).toEqual({
    workerUrl: 'https://app.example/worker.js',
  })
})

it('keeps REST headers out of what reaches the page', () => {
  const { public: values } = toRuntimeConfig(options)
  expect(JSON.stringify(values)).not.toContain('hunter2')
  expect(readOptions({ public: values }).rest).toEqual({ staleTime: 0 })
})

it('has a key for each option that an environment variable may set, which is no option while it is empty', () => {
  const config = toRuntimeConfig({})
  expect(config.public.chain).toMatchObject({ url: '', restUrl: '', network: '', autoConnect: '' })
  expect(config.chain.rest.headers).toBe('')
  expect(readOptions(config)).toEqual({ rest: {} })
  const overridden = { ...config, public: { chain: { ...config.public.chain, url: 'ws://127.0.0.1:1' } } }
  expect(readOptions(overridden)).toEqual({ url: 'ws://127.0.0.1:1', rest: {} })
})

import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { toEndpointUrl } from '../../src/engine/resolve-options.js'
import { resolveOptions, toTarget } from '../../src/engine/resolve-options.js'

/** The error of invalid options. */
function optionError(options: object): ChainError | undefined {
  try {
    resolveOptions(options)
    return undefined
  } catch (error) {
    return error instanceof ChainError ? error : undefined
  }
}

describe('an invalid option', () => {
  it.each([
    ['network', { network: 'testnet' }],
    ['encoding', { encoding: 'json' }],
    ['url', { url: 'http://node.example' }],
    ['url', { url: 'ws//127.0.0.1' }],
    ['url', { url: 17 }],
    ['urls[1]', { urls: ['ws://a.example', 'ws:/b'] }],
    ['restUrl', { restUrl: 'ftp://x' }],
    ['resolvers', { resolvers: [] }],
    ['connectTimeout', { connectTimeout: -1 }],
    ['requestTimeout', { requestTimeout: Number.NaN }],
    ['maxFrameSize', { maxFrameSize: 0.5 }],
    ['reconnect', { reconnect: true }],
    ['reconnect.maxRetries', { reconnect: { maxRetries: -1 } }],
    ['reconnect.baseDelay', { reconnect: { baseDelay: -5 } }],
    ['reconnect.factor', { reconnect: { factor: 0.5 } }],
    ['reconnect.jitter', { reconnect: { jitter: 1.5 } }],
    ['heartbeat.interval', { heartbeat: { interval: 0 } }],
    ['rest', { rest: 'https://indexer.example' }],
    ['devtools', { devtools: 'yes' }],
    ['netwrok', { netwrok: 'simnet' }],
    ['reconnect.maxRetry', { reconnect: { maxRetry: 3 } }],
    ['heartbeat.every', { heartbeat: { every: 3 } }],
    ['shared', { shared: 'wallet' }],
    ['shared.name', { shared: { name: 'My wallet' } }],
    ['shared.name', { shared: { name: '' } }],
    ['shared.name', { shared: { name: 'a'.repeat(41) } }],
    ['shared.claims', { shared: { claims: 1 } }],
    ['shared.state', { shared: { state: 'yes' } }],
    ['shared.state.maxAge', { shared: { state: { maxAge: 0 } } }],
    ['shared.state.maxAge', { shared: { state: { maxAge: 31 * 86_400_000 } } }],
    ['shared.state.age', { shared: { state: { age: 3 } } }],
    ['shared.nmae', { shared: { nmae: 'wallet' } }],
  ])('is rejected with its path: %s in %o', (option, options) => {
    expect(optionError(options)).toMatchObject({ code: 'invalid-option', argument: option })
  })

  it('lists the allowed values', () => {
    expect(optionError({ network: 'bogus' })?.message).toBe(
      'Option "network" must be one of mainnet, testnet-10, testnet-12, simnet, devnet, not "bogus"',
    )
  })

  it('is rejected where the name is unknown', () => {
    const misspelt = optionError({ netwrok: 'simnet' })
    expect(misspelt?.message).toBe('There is no option "netwrok"')
    expect(misspelt?.hint).toBe('Check its spelling, or leave it out.')
  })

  it('does not repeat the password of a URL', () => {
    expect(optionError({ url: 'http://me:secret@node.example' })?.message).not.toContain('secret')
  })

  it('is not reported for options of an option', () => {
    expect(
      optionError({ shared: { name: 'my-wallet-2', claims: true, state: { maxAge: 1000 } }, rest: { timeout: 3 } }),
    ).toBeUndefined()
  })

  it('is not reported for omitted or undefined options', () => {
    expect(optionError({ url: undefined, reconnect: { maxRetries: undefined } })).toBeUndefined()
    expect(resolveOptions({ reconnect: { maxRetries: undefined } }).retryPolicy.maxRetries).toBe(10)
  })
})

describe('an endpoint', () => {
  it.each([
    ['127.0.0.1', 'ws://127.0.0.1:17510'],
    ['127.0.0.1:9999', 'ws://127.0.0.1:9999'],
    ['ws://127.0.0.1', 'ws://127.0.0.1'],
    ['node.example/path', 'ws://node.example/path'],
    ['wss://node.example:1234/x', 'wss://node.example:1234/x'],
  ])('is accepted as %s', (text, url) => {
    expect(toEndpointUrl(text, 'url', 'simnet', 'Borsh')).toBe(url)
  })
})

describe('the connection target', () => {
  it('is the given url, without the resolver unless it is enabled', () => {
    const url = 'wss://node.example'
    expect(toTarget(resolveOptions({ url }))).toMatchObject({ urls: [url], resolver: 'skip' })
    expect(toTarget(resolveOptions({ url, resolver: true }))).toMatchObject({ urls: [url], resolver: 'use' })
  })

  it('uses the public resolver by default', () => {
    expect(toTarget(resolveOptions({}))).toMatchObject({ network: 'mainnet', urls: [], resolver: 'use' })
  })

  it('ignores a click event passed as override', () => {
    const options = resolveOptions({ network: 'simnet' })
    const click: object = new Event('click')
    expect(toTarget(options, click)).toEqual(toTarget(options))
  })

  it('is the local node on networks without a resolver', () => {
    expect(toTarget(resolveOptions({ network: 'simnet' }))).toMatchObject({ urls: ['ws://127.0.0.1:17510'] })
    expect(toTarget(resolveOptions({ network: 'devnet', encoding: 'SerdeJson' }))).toMatchObject({
      urls: ['ws://127.0.0.1:18610'],
    })
  })

  it('drops endpoints of the options for another network', () => {
    const options = resolveOptions({ network: 'mainnet', url: 'wss://main.example' })
    expect(toTarget(options, { network: 'simnet' })).toMatchObject({ urls: ['ws://127.0.0.1:17510'] })
  })
})

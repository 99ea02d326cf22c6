import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { toEndpointUrl } from '../../src/engine/endpoint-url.js'
import { resolveOptions, toTarget } from '../../src/engine/resolve-options.js'

/** What an options record is refused for. */
function refusal(options: object): ChainError | undefined {
  try {
    resolveOptions(options)
    return undefined
  } catch (error) {
    return error instanceof ChainError ? error : undefined
  }
}

describe('a bad option', () => {
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
  ])('is refused by its name: %s in %o', (option, options) => {
    expect(refusal(options)).toMatchObject({ code: 'invalid-option', argument: option })
  })

  it('says what is allowed', () => {
    expect(refusal({ network: 'bogus' })?.message).toBe(
      'Option "network" must be one of mainnet, testnet-10, testnet-12, simnet, devnet, not "bogus"',
    )
  })

  it('is named where there is none of that name, lest the default be taken for it', () => {
    const misspelt = refusal({ netwrok: 'simnet' })
    expect(misspelt?.message).toBe('There is no option "netwrok"')
    expect(misspelt?.hint).toBe('Check its spelling, or leave it out.')
  })

  it('does not repeat a password that stands in a URL', () => {
    expect(refusal({ url: 'http://me:secret@node.example' })?.message).not.toContain('secret')
  })

  it('is none where it is left out, or explicitly undefined', () => {
    expect(refusal({ url: undefined, reconnect: { maxRetries: undefined } })).toBeUndefined()
    expect(resolveOptions({ reconnect: { maxRetries: undefined } }).retries.maxRetries).toBe(10)
  })
})

describe('an endpoint', () => {
  it.each([
    ['127.0.0.1', 'ws://127.0.0.1:17510'],
    ['127.0.0.1:9999', 'ws://127.0.0.1:9999'],
    ['ws://127.0.0.1', 'ws://127.0.0.1'],
    ['node.example/path', 'ws://node.example/path'],
    ['wss://node.example:1234/x', 'wss://node.example:1234/x'],
  ])('may be written %s', (text, url) => {
    expect(toEndpointUrl(text, 'url', 'simnet', 'Borsh')).toBe(url)
  })
})

describe('what is dialled', () => {
  it('is the given url alone, unless the resolver is switched on explicitly', () => {
    const url = 'wss://node.example'
    expect(toTarget(resolveOptions({ url }))).toMatchObject({ urls: [url], resolver: 'leave' })
    expect(toTarget(resolveOptions({ url, resolver: true }))).toMatchObject({ urls: [url], resolver: 'ask' })
  })

  it('is whom a public resolver names where nothing is given', () => {
    expect(toTarget(resolveOptions({}))).toMatchObject({ network: 'mainnet', urls: [], resolver: 'ask' })
  })

  it('is what the options say where a click is given in place of an override', () => {
    const options = resolveOptions({ network: 'simnet' })
    const click: object = new Event('click')
    expect(toTarget(options, click)).toEqual(toTarget(options))
  })

  it('is the node of this machine on networks that no resolver serves', () => {
    expect(toTarget(resolveOptions({ network: 'simnet' }))).toMatchObject({ urls: ['ws://127.0.0.1:17510'] })
    expect(toTarget(resolveOptions({ network: 'devnet', encoding: 'SerdeJson' }))).toMatchObject({
      urls: ['ws://127.0.0.1:18610'],
    })
  })

  it('leaves endpoints of one network behind where another is asked for', () => {
    const options = resolveOptions({ network: 'mainnet', url: 'wss://main.example' })
    expect(toTarget(options, { network: 'simnet' })).toMatchObject({ urls: ['ws://127.0.0.1:17510'] })
  })
})

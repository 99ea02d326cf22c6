import { describe, expect, it } from 'vitest'
import { isAllowedHostHeader, isAllowedOrigin } from '../../../src/devnode/server/origin.js'

const EXTENSION = 'chrome-extension://feidpclphajdhhnldjmgeohbgpaidkpp'

describe('isAllowedOrigin', () => {
  it.each<[string | undefined, string, string]>([
    [undefined, '127.0.0.1', 'a client other than a browser'],
    ['http://localhost:5173', '127.0.0.1', 'loopback by name, any port'],
    ['https://app.localhost', '127.0.0.1', 'a name below localhost'],
    ['http://127.0.0.1:80', '127.0.0.1', 'loopback by number'],
    ['http://[::1]:3000', '127.0.0.1', 'loopback of IPv6'],
    ['http://192.0.2.7:8080', '192.0.2.7', 'the host it listens on'],
    ['http://devbox.test', 'devbox.test', 'that host by name'],
    ['http://[2001:db8::7]', '2001:db8::7', 'that host in IPv6'],
  ])('allows %s on %s: %s', (origin, host) => {
    expect(isAllowedOrigin(origin, { host, origins: [] })).toBe(true)
  })

  it('allows the listed origins, and no other of their scheme', () => {
    const address = { host: '127.0.0.1', origins: [EXTENSION] }
    expect(isAllowedOrigin(EXTENSION, address)).toBe(true)
    expect(isAllowedOrigin('chrome-extension://aaaaclphajdhhnldjmgeohbgpaidkpp', address)).toBe(false)
  })

  it.each([
    ['https://evil.test', '127.0.0.1', 'another site'],
    ['https://localhost.evil.test', '127.0.0.1', 'a host name that contains localhost'],
    ['https://127.0.0.1.evil.test', '127.0.0.1', 'a host name that contains a loopback address'],
    ['null', '127.0.0.1', 'an opaque origin'],
    ['http://192.0.2.8', '192.0.2.7', 'another host'],
    ['http://192.0.2.8', '0.0.0.0', 'an address that is not of this machine'],
  ])('refuses %s on %s: %s', (origin, host) => {
    expect(isAllowedOrigin(origin, { host, origins: [EXTENSION] })).toBe(false)
  })

  it('refuses a host name that was rebound to loopback', () => {
    expect(isAllowedHostHeader('evil.test:19000', '127.0.0.1')).toBe(false)
    expect(isAllowedHostHeader(undefined, '127.0.0.1')).toBe(false)
    expect(isAllowedHostHeader('localhost:19000', '127.0.0.1')).toBe(true)
  })
})

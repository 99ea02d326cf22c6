import { describe, expect, it } from 'vitest'
import { isAllowedHostHeader, isAllowedOrigin } from '../../../src/devnode/server/origin.js'

describe('who may speak to a devnode from a page', () => {
  it.each<[string | undefined, string, string]>([
    [undefined, '127.0.0.1', 'a client that is no browser'],
    ['http://localhost:5173', '127.0.0.1', 'loopback by name, any port'],
    ['https://app.localhost', '127.0.0.1', 'a name below localhost'],
    ['http://127.0.0.1:80', '127.0.0.1', 'loopback by number'],
    ['http://[::1]:3000', '127.0.0.1', 'loopback of IPv6'],
    ['http://192.0.2.7:8080', '192.0.2.7', 'the host it listens on'],
    ['http://devbox.test', 'devbox.test', 'that host by name'],
    ['http://[2001:db8::7]', '2001:db8::7', 'that host in IPv6'],
  ])('lets %s in on %s: %s', (origin, host) => {
    expect(isAllowedOrigin(origin, host)).toBe(true)
  })

  it.each([
    ['https://evil.test', '127.0.0.1', 'another site'],
    ['https://localhost.evil.test', '127.0.0.1', 'a site that dresses up as loopback'],
    ['https://127.0.0.1.evil.test', '127.0.0.1', 'the same by number'],
    ['null', '127.0.0.1', 'a page that hides where it comes from'],
    ['http://192.0.2.8', '192.0.2.7', 'another host'],
    ['http://192.0.2.8', '0.0.0.0', 'an address that is not of this machine'],
  ])('turns %s away on %s: %s', (origin, host) => {
    expect(isAllowedOrigin(origin, host)).toBe(false)
  })

  it('turns a page away whose own name was bent to loopback', () => {
    expect(isAllowedHostHeader('evil.test:19000', '127.0.0.1')).toBe(false)
    expect(isAllowedHostHeader(undefined, '127.0.0.1')).toBe(false)
    expect(isAllowedHostHeader('localhost:19000', '127.0.0.1')).toBe(true)
  })
})

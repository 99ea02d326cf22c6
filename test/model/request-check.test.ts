import { describe, expect, it } from 'vitest'
import { requestRefusal, type RequestRules } from '../../src/model/request-check.js'

/** The status of a refusal; 200 for none. */
const statusOf = (headers: Record<string, string | undefined>, rules: RequestRules, method = 'GET'): number =>
  requestRefusal({ method, headers }, rules)?.status ?? 200
const ofOrigin = (origin: string | undefined, rules: RequestRules): number =>
  statusOf({ host: 'localhost', origin }, rules)

const EXTENSION = 'chrome-extension://feidpclphajdhhnldjmgeohbgpaidkpp'

describe('the check of a request', () => {
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
    expect(ofOrigin(origin, { host, origins: [] })).toBe(200)
  })

  it('allows the listed origins, and no other of their scheme', () => {
    const address = { host: '127.0.0.1', origins: [EXTENSION] }
    expect(ofOrigin(EXTENSION, address)).toBe(200)
    expect(ofOrigin('chrome-extension://aaaaclphajdhhnldjmgeohbgpaidkpp', address)).toBe(403)
  })

  it.each([
    ['https://evil.test', '127.0.0.1', 'another site'],
    ['https://localhost.evil.test', '127.0.0.1', 'a host name that contains localhost'],
    ['https://127.0.0.1.evil.test', '127.0.0.1', 'a host name that contains a loopback address'],
    ['null', '127.0.0.1', 'an opaque origin'],
    ['http://192.0.2.8', '192.0.2.7', 'another host'],
    ['http://192.0.2.8', '0.0.0.0', 'an address that is not of this machine'],
  ])('refuses %s on %s: %s', (origin, host) => {
    expect(ofOrigin(origin, { host, origins: [EXTENSION] })).toBe(403)
  })

  it('allows an address of this machine where the server listens on all', () => {
    const rules = { host: '0.0.0.0', ownAddresses: () => ['192.0.2.8'] }
    expect(statusOf({ host: '192.0.2.8:80', origin: 'http://192.0.2.8' }, rules)).toBe(200)
  })

  it.each([
    ['localhost:19000', 200],
    ['127.0.0.1', 200],
    ['[::1]:19000', 200],
    ['evil.test:19000', 403],
    ['evil.test@localhost', 403],
    ['localhost/evil.test', 403],
    ['', 403],
    [undefined, 403],
  ])('prevents DNS rebinding by Host: %s is %i', (host, status) => {
    expect(statusOf({ host }, { host: '127.0.0.1' })).toBe(status)
  })

  it('allows any Host where the server says so, and foreign origins never', () => {
    expect(statusOf({ host: 'feed:9464' }, { host: '0.0.0.0', anyHost: true })).toBe(200)
    expect(statusOf({ host: 'feed:9464', origin: 'https://evil.test' }, { host: '0.0.0.0', anyHost: true })).toBe(403)
  })

  it.each([
    ['POST', 'application/json', 200],
    ['POST', 'Application/JSON; charset=utf-8', 200],
    ['POST', 'text/plain', 415],
    ['POST', 'text/plain; application/json', 415],
    ['POST', undefined, 415],
    ['DELETE', undefined, 415],
    ['GET', undefined, 200],
  ])('requires the media type of a body: %s %s is %i', (method, contentType, status) => {
    const rules = { host: '127.0.0.1', contentType: 'application/json' }
    expect(statusOf({ host: 'localhost', 'content-type': contentType }, rules, method)).toBe(status)
  })

  it.each([
    ['GET', 200],
    ['PUT', 200],
    ['POST', 405],
    ['DELETE', 405],
  ])('takes the methods that the server serves: %s is %i', (method, status) => {
    expect(statusOf({ host: 'localhost' }, { host: '127.0.0.1', methods: ['GET', 'PUT'] }, method)).toBe(status)
  })

  it.each([
    ['Bearer k1', 200],
    ['Bearer k2', 401],
    ['Bearer k', 401],
    ['Bearer k11', 401],
    ['k1', 401],
    [undefined, 401],
  ])('requires the token: %s is %i', (authorization, status) => {
    expect(statusOf({ host: 'localhost', authorization }, { host: '127.0.0.1', token: 'k1' })).toBe(status)
  })
})

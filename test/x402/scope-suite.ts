import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { createContext } from '../../src/x402/server/hono-context.js'
import { createRequestScopes, type RequestScope } from '../../src/x402/server/request-scope.js'

export function scopeTests(): void {
  const scopeOf = (requestHash: string): RequestScope => ({
    ...{ identity: { requestHash }, hasHandler: false, deadline: undefined },
    outcome: { type: 'none' },
  })
  const [a, b] = [scopeOf('a'), scopeOf('b')]

  it('are kept for whatever a request does, where the runtime can', async () => {
    const { run, current, isAsync } = createRequestScopes(new AsyncLocalStorage<RequestScope>())
    const later = async () => {
      await Promise.resolve()
      return current()
    }
    expect([isAsync, ...(await Promise.all([run(a, later), run(b, later)])), current()]).toEqual([
      true,
      a,
      b,
      undefined,
    ])
  })

  it('end with the call in a page, so that no other request has them', async () => {
    const { run, current } = createRequestScopes(null)
    const seen = await run(a, async () => {
      const within = [current(), run(b, current), current()]
      await Promise.resolve()
      return [...within, current()]
    })
    expect(seen).toEqual([a, b, a, undefined])
    const failing = () =>
      run(a, () => {
        throw new Error('The work failed')
      })
    expect(failing).toThrow('The work failed')
    expect(current()).toBe(undefined)
  })

  it('refuse the middleware in a page', () => {
    const port = { scopes: createRequestScopes(null), respond: () => Promise.resolve() }
    expect(() => createContext({}, port)).toThrow('context() needs asynchronous contexts')
  })
}

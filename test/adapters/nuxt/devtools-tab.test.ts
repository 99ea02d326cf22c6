import type { Nuxt } from '@nuxt/schema'
import { describe, expect, it } from 'vitest'
import { addDevtoolsTab } from '../../../src/adapters/nuxt/devtools/tab.js'

/** Hooks of a Nuxt in development, with a function that calls them. */
function createNuxt(baseURL: string) {
  const hooks = new Map<string, (...args: unknown[]) => void>()
  const hook = (name: string, run: (...args: unknown[]) => void): void => void hooks.set(name, run)
  return {
    nuxt: { options: { app: { baseURL } }, hook } as unknown as Nuxt, // no more of it is used
    call: (name: string, ...args: unknown[]) => hooks.get(name)?.(...args),
  }
}

describe('the tab of Nuxt DevTools', () => {
  it('is a frame whose page the client server sends, below the base URL', () => {
    const { nuxt, call } = createNuxt('/sub/')
    addDevtoolsTab(nuxt)

    const tabs: unknown[] = []
    call('devtools:customTabs', tabs)
    expect(tabs).toEqual([expect.objectContaining({ view: { type: 'iframe', src: '/sub/__vue-chain__/' } })])

    const routes = new Map<string, (request: unknown, response: object) => void>()
    const server = { middlewares: { use: routes.set.bind(routes) } }
    call('vite:serverCreated', server, { isClient: false })
    expect([...routes.keys()]).toEqual([])
    call('vite:serverCreated', server, { isClient: true })
    const sent: unknown[] = []
    const response = { setHeader: (...header: unknown[]) => sent.push(header), end: (text: string) => sent.push(text) }
    routes.get('/sub/__vue-chain__')?.({}, response)
    expect(sent).toEqual([
      ['content-type', 'text/html; charset=utf-8'],
      expect.stringContaining('new BroadcastChannel("vue-chain:devtools")'),
    ])
  })
})

import type { ServerResponse } from 'node:http'
import type { Nuxt } from '@nuxt/schema'
import { PAGE } from './page.js'

/**
 * What only the types of Nuxt DevTools and of Nuxt's Vite builder name; they come with packages that this library does
 * not need.
 */
interface DevelopmentHooks {
  (name: 'devtools:customTabs', run: (tabs: Tab[]) => void): void
  (name: 'vite:serverCreated', run: (server: ViteServer, environment: { readonly isClient?: boolean }) => void): void
}

/** A tab of Nuxt DevTools. */
interface Tab {
  readonly name: string
  readonly title: string
  readonly icon: string
  readonly view: { readonly type: 'iframe'; readonly src: string }
}

interface ViteServer {
  readonly middlewares: { use(route: string, handle: (request: unknown, response: ServerResponse) => void): void }
}

/** Adds a tab to Nuxt DevTools, and serves its page. In development only; needs Nuxt's builder Vite. */
export function addDevtoolsTab({ options, hook }: Nuxt): void {
  const route = `${options.app.baseURL}__vue-chain__`
  const on = hook as unknown as DevelopmentHooks // see DevelopmentHooks
  on('devtools:customTabs', (tabs) => {
    tabs.push({
      name: 'vue-chain',
      title: 'vue-chain',
      icon: 'carbon:block-storage',
      view: { type: 'iframe', src: `${route}/` },
    })
  })
  on('vite:serverCreated', ({ middlewares }, { isClient = true }) => {
    if (!isClient) return
    middlewares.use(route, (_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(PAGE)
    })
  })
}

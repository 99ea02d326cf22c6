import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

const DOCS = join(import.meta.dirname, '..')

/** A sidebar entry whose text is the title of the page. */
const entry = (page: string): DefaultTheme.SidebarItem => ({ text: titleOf(page), link: `/${page}` })

function titleOf(page: string): string {
  const [, title = page] = /^# (.+)$/m.exec(readFileSync(join(DOCS, `${page}.md`), 'utf8')) ?? []
  return title.replaceAll('`', '')
}

const group = (text: string, pages: readonly string[]): DefaultTheme.SidebarItem => ({
  text,
  items: pages.map(entry),
})

const pagesOf = (folder: string): readonly string[] =>
  readdirSync(join(DOCS, folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file.replace(/\.md$/, '')}`)
    .sort()

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['getting-started', 'kaspa-in-five-minutes', 'functions', 'options', 'connection', 'errors'],
  Guides: [
    'getting-paid',
    'wallet-app',
    'dashboard',
    'explorer',
    'sign-in',
    'deposit-watcher',
    'hot-wallet',
    'pinia-and-router',
    'migrate-from-vue-kaspa',
    'migrate-from-rpc-client',
  ],
  'Money in': ['streams', 'transfers', 'chain', 'accounts', 'feed', 'payments', 'x402'],
  'Money out': ['transactions', 'cosigning', 'treasury', 'payouts', 'ledger', 'keys', 'light', 'wasm'],
  Contracts: ['your-first-contract', 'contracts', 'tokens'],
  Indexer: ['rest'],
  Frameworks: ['nuxt', 'ssr', 'bundlers', 'devtools'],
  Test: ['playground', 'devnode', 'testing', 'test-a-component', 'diagnosis', 'assistants'],
  Project: ['performance', 'reliability', 'security', 'compatibility', 'changelog', 'contributing'],
}

/** Every page in one group; a page that no group names fails the build. */
export function createSidebar(): DefaultTheme.SidebarItem[] {
  const listed = new Set(Object.values(GROUPS).flat())
  const unlisted = pagesOf('.')
    .map((page) => page.replace(/^\.\//, ''))
    .filter((page) => page !== 'index' && !listed.has(page))
  if (unlisted.length > 0)
    throw new Error(`Pages without a sidebar group (docs/.vitepress/sidebar.ts): ${unlisted.join(', ')}`)
  const exists = (page: string): boolean => existsSync(join(DOCS, `${page}.md`))
  return [
    ...Object.entries(GROUPS).flatMap(([text, pages]) => [
      group(text, pages.filter(exists)),
      ...(text === 'Guides' ? [group('Recipes', pagesOf('recipes'))] : []),
    ]),
    group('Composables', [...pagesOf('composables'), ...pagesOf('components')]),
    { text: 'API reference', link: '/api/' },
  ]
}

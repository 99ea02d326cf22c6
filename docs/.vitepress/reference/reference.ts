import type { MarkdownRenderer } from 'vitepress'
import { apiPageOf } from './api-page.js'
import { readDeclarations, type Declarations } from './declarations.js'
import { withSummaries } from './function-list.js'
import { toMarkdown } from './markdown.js'
import { ENGINE_PAGES } from './pages.js'
import { withRunnable } from './runnable.js'

let declarations: Declarations | undefined

/** The declarations, compiled for the first page that needs them. */
export const declared = (): Declarations => (declarations ??= readDeclarations())

/** Adds what runs its code, and the reference of its functions, to the Markdown of a page before it is rendered. */
export function appendReference({ core }: MarkdownRenderer): void {
  core.ruler.before('normalize', 'reference', (state) => {
    const env: unknown = state.env
    const path = typeof env === 'object' && env !== null && 'relativePath' in env ? String(env.relativePath) : ''
    const page = path.replace(/\.md$/, '')
    state.src =
      page === 'functions' ? withSummaries(state.src, declared()) : withRunnable(state.src, page) + referenceOf(page)
  })
}

function referenceOf(page: string): string {
  const [, composable] = /^composables\/(\w+)$/.exec(page) ?? []
  if (composable !== undefined) return composableReference(composable)
  const members = ENGINE_PAGES[page] ?? []
  if (members.length === 0) return ''
  const parts = members.map((name) => toMarkdown(declared().engine(name), '###', `./${apiPageOf('ChainEngine')}`))
  return `\n\n## Reference\n\nMembers of the engine, from their declarations.\n\n${parts.join('\n\n')}\n`
}

function composableReference(name: string): string {
  const api = `../${apiPageOf(name)}`
  return `\n\n## Reference\n\n${toMarkdown(declared().function(name), '###', api)}\n`
}

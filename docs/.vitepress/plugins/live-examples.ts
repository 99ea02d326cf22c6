import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'
import type { Plugin } from 'vite'

const DOCS = join(import.meta.dirname, '../..')

/** Folders whose pages run their first Vue block, so that the source that is shown is the one that runs. */
const FOLDERS = ['composables', 'components'] as const

interface LivePage {
  readonly name: string
  readonly markdown: string
  /** The file name of the example as a module. */
  readonly module: string
}

const toPage = (name: string, path: string): LivePage => ({
  name,
  markdown: join(DOCS, `${path}.md`),
  module: join(DOCS, `${path}.live.vue`),
})

/** Guides that do so, too. */
const GUIDES = ['your-first-contract', 'treasury', 'recipes/paid-api'] as const

const pages: readonly LivePage[] = [
  ...GUIDES.map((path) => toPage(path.replace('recipes/', ''), path)),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(DOCS, folder))
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace(/\.md$/, ''))
      .map((name) => toPage(name, `${folder}/${name}`)),
  ),
]

/** The start page, which shows its example by itself. */
const start = toPage('start', 'index')

/** What `vue-chain contract` writes, for examples with a contract. */
const ARTIFACTS = ['counter', 'token20'].map((name) => ({
  name: `./${name}.contract.js`,
  file: join(DOCS, `../test/fixtures/contracts/modules/${name}.ts`),
}))

const LIST = 'virtual:live-examples'
const START = 'virtual:start-example'

/**
 * `virtual:live-examples`: the example of each page by its name, as source text and as a component that is loaded on
 * demand. `virtual:start-example`: the component of the start page. Fails where a page has no Vue block.
 */
export function liveExamples(): Plugin {
  return {
    name: 'live-examples',
    resolveId(id) {
      if (id === LIST) return `\0${LIST}`
      if (id === START) return start.module
      const artifact = ARTIFACTS.find(({ name }) => name === id)
      if (artifact !== undefined) return artifact.file
      return [start, ...pages].some(({ module }) => module === id) ? id : null
    },
    load(id) {
      if (id === `\0${LIST}`) return listModule((file) => this.addWatchFile(file))
      const page = [start, ...pages].find(({ module }) => module === id)
      if (page === undefined) return null
      this.addWatchFile(page.markdown)
      return sourceOf(page)
    },
  }
}

function listModule(watch: (file: string) => void): string {
  const entries = pages.map((page) => {
    watch(page.markdown)
    const [name, source, module] = [page.name, sourceOf(page), page.module].map((text) => JSON.stringify(text))
    return `${name}: { source: ${source}, load: () => import(${module}) }`
  })
  return `export default { ${entries.join(',\n')} }`
}

function sourceOf({ name, markdown }: LivePage): string {
  const [, source] = /^```vue\n([\s\S]*?)^```/m.exec(readFileSync(markdown, 'utf8')) ?? []
  if (source === undefined) throw new Error(`The page ${name} has no example in a Vue block.`)
  return source
}

/** Renders the live example below the block that is its source. */
export function showLiveExamples({ renderer }: MarkdownRenderer): void {
  const { fence } = renderer.rules
  if (fence === undefined) throw new Error('The Markdown renderer has no rule for fences.')
  renderer.rules.fence = (tokens, index, options, env: { readonly relativePath: string }, self) => {
    const block = fence(tokens, index, options, env, self)
    const page = pages.find(({ markdown }) => markdown === join(DOCS, env.relativePath))
    const isFirst = tokens.findIndex(({ type, info }) => type === 'fence' && info.trim() === 'vue') === index
    return page !== undefined && isFirst ? `${block}\n<LiveExample name="${page.name}" />\n` : block
  }
}

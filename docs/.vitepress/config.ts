import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import { liveExamples, showLiveExamples } from './plugins/live-examples.js'
import { markEmptyHeaders } from './plugins/markdown.js'
import { singleFile } from './plugins/single-file.js'
import { createSidebar } from './sidebar.js'

const ROOT = join(import.meta.dirname, '../..')

/** `DOCS_BASE`: the path below which the site is served. */
const base = process.env.DOCS_BASE ?? '/'

/** The built library, and one copy of its peers. */
const resolve = {
  alias: [
    { find: /^vue-chain$/, replacement: join(ROOT, 'dist/index.js') },
    { find: /^vue-chain\/(.+\.css)$/, replacement: join(ROOT, 'dist/$1') },
    { find: /^vue-chain\/(.+)$/, replacement: join(ROOT, 'dist/$1.js') },
  ],
  dedupe: ['vue', 'rxjs'],
}

/** Keys of the examples are those of `light`. */
const define = { __VUE_CHAIN_WASM__: 'false' }

export default defineConfig({
  title: 'vue-chain',
  description: 'Reactive Kaspa for Vue and every other JavaScript.',
  base,
  cleanUrls: false, // served by any static server
  head: [
    ['link', { rel: 'icon', href: 'data:,' }],
    // the frame of the playground, whose document is no request, stays where it is
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: "frame-src 'none'" }],
  ],
  srcExclude: ['node_modules/**'],
  outDir: join(ROOT, '.cache/site'),
  cacheDir: join(ROOT, '.cache/vitepress'),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(renderer) {
      markEmptyHeaders(renderer)
      showLiveExamples(renderer)
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Playground', link: '/playground' },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: createSidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // the reference would make the index several times larger
        _render: (source, env, markdown) => (env.relativePath.startsWith('api/') ? '' : markdown.render(source, env)),
      },
    },
  },
  vite: {
    plugins: [llmstxt({ ignoreFiles: ['api/**'] }), liveExamples(), singleFile({ resolve, define })],
    define,
    resolve,
    build: { chunkSizeWarningLimit: 2_000 },
  },
})

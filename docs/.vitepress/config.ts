import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type HeadConfig } from 'vitepress'
import llmstxt from 'vitepress-plugin-llms'
import { liveExamples, showLiveExamples } from './plugins/live-examples.js'
import { markEmptyHeaders } from './plugins/markdown.js'
import { singleFile } from './plugins/single-file.js'
import { appendReference } from './reference/reference.js'
import { createSidebar } from './sidebar.js'
import { SOCIAL_IMAGE, writeImages } from './social-image.js'

const ROOT = join(import.meta.dirname, '../..')

/** `DOCS_BASE`: the path below which the site is served. */
const base = process.env.DOCS_BASE ?? '/'

/**
 * `DOCS_ORIGIN`: where the site is served, `https://…`. Without it, links to the social image are relative, which few
 * sites follow.
 */
const origin = process.env.DOCS_ORIGIN ?? ''

const TITLE = 'Accept and send Kaspa from Vue'
const DESCRIPTION = 'Live balances, payments and browser wallets for Vue and every other JavaScript.'

/**
 * The start page is painted a round trip earlier with its styles in it. It has no social icons, which `vp-icons.css` is
 * for.
 */
const inlineStyles = (html: string, fileOf: (path: string) => string): string =>
  html
    .replace(/<link rel="preload stylesheet" href="[^"]*\/vp-icons\.css" as="style">/, '')
    .replace(
      /<link rel="preload stylesheet" href="([^"]+)" as="style">/,
      (_, path: string) => `<style>${readFileSync(fileOf(path), 'utf8')}</style>`,
    )

const property = (name: string, content: string): HeadConfig => ['meta', { property: `og:${name}`, content }]

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
  description: DESCRIPTION,
  base,
  cleanUrls: false, // served by any static server
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }],
    ['link', { rel: 'apple-touch-icon', href: `${base}apple-touch-icon.png` }],
    // the frame of the playground, whose document is no request, stays where it is
    ['meta', { 'http-equiv': 'Content-Security-Policy', content: "frame-src 'none'" }],
  ],
  transformHead: ({ pageData: { title, relativePath }, description }) => [
    property('type', 'website'),
    property('title', relativePath === 'index.md' ? TITLE : title),
    property('description', description),
    property('image', `${origin}${base}${SOCIAL_IMAGE.file}`),
    property('image:width', `${SOCIAL_IMAGE.width}`),
    property('image:height', `${SOCIAL_IMAGE.height}`),
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  transformHtml: (html, _, { page, siteConfig }) =>
    page === 'index.md' ? inlineStyles(html, (path) => join(siteConfig.outDir, path.slice(base.length))) : html,
  buildEnd: ({ outDir }) => writeImages(outDir, { title: TITLE, text: DESCRIPTION }),
  srcExclude: ['node_modules/**'],
  outDir: join(ROOT, '.cache/site'),
  cacheDir: join(ROOT, '.cache/vitepress'),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(renderer) {
      markEmptyHeaders(renderer)
      showLiveExamples(renderer)
      appendReference(renderer)
    },
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Functions', link: '/functions' },
      { text: 'Playground', link: '/playground' },
      { text: 'API', link: '/api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: createSidebar(),
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        // the reference would make the index several times larger; the changelog has every word, and explains none
        _render: (source, env, markdown) =>
          /^api\/|^(changelog|contributing)\.md$/.test(env.relativePath) ? '' : markdown.render(source, env),
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

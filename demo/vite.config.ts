import vue from '@vitejs/plugin-vue'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { startNetwork } from '../scripts/demo-network.mjs'
import { demoPage } from '../scripts/demo-page.mjs'
import type * as DevnodeModule from '../src/devnode/index.js'

const root = import.meta.dirname
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** The content security policy of the built page: no inline scripts or styles. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' ws: http:",
  "object-src 'none'",
  "base-uri 'none'",
].join('; ')

const contentSecurityPolicy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    { tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' },
  ],
}

/** Starts a devnode from the sources with the development server and stops it with the server. */
function localNetwork(): Plugin[] {
  let network: Awaited<ReturnType<typeof startNetwork>>
  const start: Plugin = {
    name: 'local-network',
    apply: 'serve',
    async configureServer(server) {
      const { createDevnode } = (await server.ssrLoadModule(path('../src/devnode/index.ts'))) as typeof DevnodeModule
      network = await startNetwork(createDevnode)
      server.httpServer?.once('close', () => void network.stop())
    },
  }
  return [start, demoPage(() => network.devnode)]
}

/** In development the page imports the library's sources, in the build the built library, as an app does. */
export default defineConfig(({ command }) => ({
  root,
  plugins: [vue(), contentSecurityPolicy, ...localNetwork()],
  resolve: {
    alias: [
      { find: /^vue-chain$/, replacement: path(command === 'serve' ? '../src/index.ts' : '../dist/index.js') },
      {
        find: /^vue-chain\/contracts$/,
        replacement: path(command === 'serve' ? '../src/contracts/index.ts' : '../dist/contracts.js'),
      },
      {
        find: 'vue-chain/contracts/vue',
        replacement: path(command === 'serve' ? '../src/adapters/vue/contracts/index.ts' : '../dist/contracts/vue.js'),
      },
      {
        find: 'vue-chain/light',
        replacement: path(command === 'serve' ? '../src/light/index.ts' : '../dist/light.js'),
      },
      {
        find: 'vue-chain/testing',
        replacement: path(command === 'serve' ? '../src/testing/index.ts' : '../dist/testing.js'),
      },
      {
        find: /^vue-chain\/requests$/,
        replacement: path(command === 'serve' ? '../src/adapters/vue/requests/index.ts' : '../dist/requests.js'),
      },
      { find: 'vue-chain/requests.css', replacement: path('../dist/requests.css') },
      { find: 'vue-chain/style.css', replacement: path('../dist/style.css') },
    ],
  },
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 1000 },
}))

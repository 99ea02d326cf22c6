import { defineConfig } from 'vite'

/** One copy of Vue for the page and the library, on both sides: `VUE` names its package. */
export default defineConfig({
  resolve: { alias: [{ find: /^vue(?=$|\/)/, replacement: process.env.VUE }] },
  ssr: { noExternal: true, external: ['ws', 'isomorphic-ws'] },
})
